import '@fontsource/bricolage-grotesque/700.css'
import '@fontsource-variable/figtree/wght.css'
