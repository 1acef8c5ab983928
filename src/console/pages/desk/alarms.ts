import { useEffect } from 'preact/hooks'
import { get, type Resource } from '../lib/api.ts'
import { classes, el, type View } from '../lib/el.ts'
import { icon } from '../lib/icons.ts'
import { useRead } from '../lib/read.ts'
import { linkTo } from '../lib/route.ts'
import { may, tick } from '../lib/session.ts'
import { t } from './texts.ts'

/** Two minutes. */
const askedEveryTicks = 4

interface Checks {
  /** Absent for a role that does not look after the devices. */
  checks?: Record<string, { status: string }[]>
}

/** The facts that need somebody, on every screen: alarms, and keys that may open although they should not. */
export function Alarms(): View | null {
  const status = useRead(
    'alarms',
    async (signal) => {
      const { data } = await get<Resource<Checks>>('/api/v2/status', { signal })
      return Object.values(data.attributes.checks ?? {})
        .flat()
        .filter((check) => check.status !== 'pass').length
    },
    ['dispenser.', 'controller.', 'system.', 'pms.', 'access-provider.', 'key-service.'],
  )
  // Some alarms come without an event, such as a full disk.
  useEffect(() => status.readAgain(), [Math.floor(tick.value / askedEveryTicks)])
  const keys = useRead(
    may('keys.read') ? 'alarms keys' : null,
    async (signal) => (await get<Resource[]>('/api/v2/access/units-with-older-keys', { signal })).data.length,
    ['key.', 'card.'],
  )
  return el.div(
    { class: 'row' },
    alarm(status.data, 'devices', t.value.frame.alarms),
    alarm(keys.data, 'keys', t.value.frame.keysMayOpen),
  )
}

function alarm(count: number | undefined, screen: string, text: (count: number) => string): View | null {
  if (!count) return null
  return el.a(
    { class: classes('chip', 'error'), href: linkTo(screen) },
    icon(screen === 'keys' ? 'key' : 'alarm'),
    text(count),
  )
}
