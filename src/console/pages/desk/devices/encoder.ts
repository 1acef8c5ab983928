import { useState } from 'preact/hooks'
import { button, chip, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { linked } from '../../lib/controls/linked.ts'
import { linkTo } from '../../lib/controls/route.ts'
import { useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { getMaybe, type Resource } from '../../lib/server/api.ts'
import { type Message, textOf } from '../../lib/server/message.ts'
import { may } from '../../lib/server/session.ts'
import { t } from './texts.ts'

export interface ControllerRow {
  name: string
  location: string | null
  kind: string
  state: string
  isReady: boolean
  reason: string | null
  messages?: Message[]
}

interface CardOnEncoder {
  unitName: string | null
  status: string | null
  stayId: string | null
  validUntil: string | null
}

/** One encoder: whether it works, and what its card contains. */
export function EncoderTile({
  controller: { id, attributes },
}: {
  controller: Resource<ControllerRow>
}): View {
  const { name, location, kind, isReady, reason, messages } = attributes
  const [card, setCard] = useState<CardOnEncoder | null>(null)
  const [isNoKey, setNoKey] = useState(false)
  const task = useTask()
  const read = () =>
    task.run('read', async () => {
      setCard(null)
      setNoKey(false)
      const { data } = await getMaybe<CardOnEncoder>(`/api/v2/access/controllers/${id}/key`, {
        timeoutMs: 60_000,
      })
      setCard(data?.attributes ?? null)
      setNoKey(data === null)
    })
  return el.article(
    { class: 'device', 'aria-label': name },
    el.div(
      { class: 'row' },
      el.h2(null, name),
      isReady ? chip('ok', t.value.states.active) : chip('error', t.value.notReady, 'alarm'),
    ),
    el.p(
      { class: 'quiet' },
      [t.value.kinds[kind as keyof typeof t.value.kinds] ?? kind, location].filter(Boolean).join(', '),
    ),
    !isReady && el.p(null, linked(textOf(messages ?? null) || reason)),
    task.refusal && notice('error', task.refusal),
    card && notice('info', card.unitName ?? t.value.noKey, el.p(null, cardText(card))),
    isNoKey && notice('info', t.value.noKey),
    may('keys.read') &&
      kind === 'encoder' &&
      button(t.value.readCard, { onClick: read, icon: 'card', isBusy: task.busy !== null }),
  )
}

function cardText({ status, stayId, validUntil }: CardOnEncoder): View {
  return el.span(
    null,
    [status, validUntil && t.value.until(momentText(validUntil))].filter(Boolean).join(', '),
    stayId && [' ', el.a({ href: linkTo('stay', stayId) }, t.value.guest)],
  )
}
