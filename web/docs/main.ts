import '@fontsource/bricolage-grotesque/700.css'
import '@fontsource-variable/figtree'
import { SwaggerUIBundle } from 'swagger-ui-dist'
import 'swagger-ui-dist/swagger-ui.css'

import './docs.css'
import { describeRoles } from './roles'

const answer = await fetch('/openapi.json')

SwaggerUIBundle({
  spec: describeRoles(await answer.json()),
  domNode: document.getElementById('docs'),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  // No other server is called.
  validatorUrl: null,
})
