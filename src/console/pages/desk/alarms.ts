import { classes, el, type View } from '../lib/controls/el.ts'
import { icon } from '../lib/controls/icons.ts'
import { linkTo } from '../lib/controls/route.ts'
import { getList, getOne } from '../lib/server/api.ts'
import { useRead, useReadEvery } from '../lib/server/read.ts'
import { may } from '../lib/server/session.ts'
import { type ClockStatus, hearClock } from './clock-doubt.ts'
import { t } from './texts.ts'

interface Status extends ClockStatus {
  /** Absent for a role without access to the devices. */
  checks?: Record<string, { status: string }[]>
}

/**
 * The items that need action, shown on every screen: alarms, and keys that may still open a door although they should
 * not.
 */
export function Alarms(): View | null {
  const status = useRead(
    'alarms',
    async (signal) => {
      const { data } = await getOne<Status>('/api/v2/status', { signal })
      hearClock(data.attributes)
      return Object.values(data.attributes.checks ?? {})
        .flat()
        .filter((check) => check.status !== 'pass').length
    },
    [
      'dispenser.',
      'controller.',
      'system.',
      'pms.',
      'card.',
      'access-provider.',
      'key-service.',
      'payment-terminal.',
      'stay.payment-in-doubt',
      'payment.',
      'help-call.',
    ],
  )
  // Some alarms, such as a full disk, begin or end without an event.
  useReadEvery(120_000, status.readAgain)
  const keys = useRead(
    may('keys.read') ? 'alarms keys' : null,
    async (signal) => {
      const path = '/api/v2/access/units-with-older-keys'
      const { data } = await getList<{ keys: { keyId: string }[] }>(path, { signal })
      // A card may be listed at its room and at common doors.
      return new Set(data.flatMap(({ attributes }) => attributes.keys.map(({ keyId }) => keyId))).size
    },
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
