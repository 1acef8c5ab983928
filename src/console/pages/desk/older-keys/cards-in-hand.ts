import { useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useTask } from '../../lib/controls/task.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import type { Controller } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { type ReadCard, readCard, useCardEncoders } from '../cards/reading.ts'
import { cardReaders } from '../search/card-readers.ts'
import { t as search } from '../search/texts.ts'
import { onlyCommon } from '../stay/open-doors.ts'
import { t } from './texts.ts'

interface Read {
  encoder: Resource<Controller>
  card: ReadCard
}

/**
 * Reads a card that was given back, and erases it if it is one of the keys `keyIds`, which should open nothing. Calls
 * `erased` then.
 */
export function CardsInHand({
  keyIds,
  erased,
}: {
  keyIds: readonly string[]
  erased: () => void
}): View | null {
  const encoders = useCardEncoders()
  const task = useTask()
  const [shown, setShown] = useState<Read | null>(null)
  const read = (encoder: Resource<Controller>) =>
    task.run(encoder.id, async () => {
      setShown(null)
      setShown({ encoder, card: await readCard(encoder) })
    })
  const erase = ({ encoder, card }: Read) =>
    task.run(encoder.id, async () => {
      // Another card may lie there by now.
      const now = await readCard(encoder)
      setShown({ encoder, card: now })
      if (now.key?.id !== card.key?.id || !isOld(now, keyIds)) return
      await send('DELETE', `/api/v2/access/controllers/${encoder.id}/key`, { timeoutMs: 60_000 })
      setShown(null)
      erased()
    })
  if (encoders.length === 0 || !may('keys.read')) return null
  return el.div(
    { class: 'stack' },
    cardReaders(encoders, task, read),
    shown && result(shown, keyIds, task.busy !== null, erase),
  )
}

/** Whether the card holds one of these keys, and no key that is live by now. */
const isOld = ({ key }: ReadCard, keyIds: readonly string[]) =>
  key !== null && key.attributes.status !== 'live' && keyIds.includes(key.id)

/** Says what a card of the list may still open: its room, or only common doors. */
function oldText({ key }: ReadCard, room: string): string {
  const common = key && onlyCommon(key)
  return common ? t.value.isOldCommon(room, common) : t.value.isOld(room)
}

function result(shown: Read, keyIds: readonly string[], isBusy: boolean, erase: (read: Read) => void): View {
  const { card } = shown
  if (card.isBlank) return notice('ok', search.value.blank)
  if (card.room === null) return notice('warning', search.value.unknownCard)
  if (!isOld(card, keyIds)) return notice('info', t.value.isOther(card.room))
  return notice(
    'warning',
    oldText(card, card.room),
    may('keys.issue') &&
      el.p(null, button(t.value.erase, { onClick: () => erase(shown), icon: 'card', isBusy })),
  )
}
