import { type Language, language, LANGUAGES, setLanguage, useTexts } from '@/lib/texts'

import classes from './Languages.module.css'

const languages = ['en', 'si', 'ta'] as const satisfies readonly Language[]

/** Every language by its own name, for those who cannot read the one they see. */
export function Languages() {
  const t = useTexts()
  return (
    <div role="group" aria-label={t('app.language')} className={classes.languages}>
      {languages.map((code) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={code === language()}
          className={classes.language}
          onClick={() => void setLanguage(code)}
        >
          {LANGUAGES[code]}
        </button>
      ))}
    </div>
  )
}
