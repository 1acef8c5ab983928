import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { linkTo } from '../../lib/controls/route.ts'
import type { Task } from '../../lib/controls/task.ts'
import { momentText, timeText } from '../../lib/language/format.ts'
import { send } from '../../lib/server/api.ts'
import { may } from '../../lib/server/session.ts'
import { t } from './texts.ts'

/** A key that should open nothing and still may. */
export interface OlderKey {
  keyId: string
  status: string
  keyType: string
  uid: string | null
  stayId: string | null
  validUntil: string | null
  /** How often its lock system was asked without a confirmation; null where it is not asked. */
  attempts: number | null
  nextAttemptAt: string | null
}

/** A key of a room, and the button that asks its lock system now if it waits for the next attempt. */
export function keyLine(key: OlderKey, room: string, task: Task): View {
  const { keyId, uid, status, validUntil, stayId, attempts, nextAttemptAt } = key
  const name = uid ? t.value.card(uid.slice(0, 4)) : t.value.pin
  return el.div(
    { class: 'row' },
    el.span(
      null,
      name,
      ', ',
      t.value.status(status),
      validUntil && `, ${t.value.validUntil(momentText(validUntil))}`,
      stayId && [' ', el.a({ href: linkTo('stay', stayId) }, t.value.guest)],
    ),
    attempts !== null &&
      nextAttemptAt !== null && [
        el.span({ class: 'quiet' }, t.value.asked(attempts, timeText(nextAttemptAt))),
        may('keys.block') &&
          button(t.value.askNow, {
            onClick: () => task.run(keyId, () => askNow(keyId)),
            ...task.of(keyId),
            name: `${t.value.askNow}: ${room}, ${name}`,
          }),
      ],
  )
}

const askNow = (keyId: string) => send('POST', `/api/v2/access/keys/${keyId}/actions/ask-now`, { body: {} })
