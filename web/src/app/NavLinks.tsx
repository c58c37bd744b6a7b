import { NavLink } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import classes from './Header.module.css'

const links = [
  { to: paths.home(), label: 'app.home' },
  { to: paths.contact(), label: 'app.contact' },
  { to: paths.restaurants(), label: 'app.restaurants' },
  { to: paths.items(), label: 'app.items' },
] as const

/** The site's pages. */
export function NavLinks({ onFollow }: { onFollow?: () => void }) {
  const t = useTexts()
  return links.map(({ to, label }) => (
    <NavLink key={to} to={to} end={to === paths.home()} className={classes.link ?? ''} onClick={onFollow}>
      {t(label)}
    </NavLink>
  ))
}
