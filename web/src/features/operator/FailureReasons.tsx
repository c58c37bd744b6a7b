import { useTexts } from '@/lib/texts'

import classes from './operations.module.css'

/** The reasons why events failed, or would fail; nothing if there are none. */
export function FailureReasons({ failures, isOpen = false }: { failures: string[]; isOpen?: boolean }) {
  const t = useTexts()
  if (failures.length === 0) return null
  return (
    <details open={isOpen}>
      <summary>{t('operator.whyFailed', { count: failures.length })}</summary>
      <ul className={classes.reasons}>
        {failures.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  )
}
