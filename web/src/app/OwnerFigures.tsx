import { AccuracySection } from '@/features/accuracy/AccuracySection'
import { FiguresPage } from '@/features/owner/FiguresPage'

/** The owner's figures with the accuracy of arrival times below them: two features, put together here. */
export function OwnerFigures() {
  return <FiguresPage accuracy={(days) => <AccuracySection days={days} />} />
}
