import { h } from 'preact'
import { button, Dialog, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { momentText } from '../../lib/language/format.ts'
import { getList, type Resource, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { t } from './texts.ts'

interface LiveKey {
  uid: string | null
  original: boolean
  keyType: string
  usage: string
  createdAt: string
}

interface OpenedDoorOptions {
  unitName: string
  onClose: () => void
  onReported: () => void
}

/**
 * Asks whether the newest first card of a room has opened its door, and reports it of the card that is shown. The lock
 * then refuses the older cards of the room.
 */
export function OpenedDoor({ unitName, onClose, onReported }: OpenedDoorOptions): View | null {
  const work = useWork()
  const { data, problem, readAgain } = useRead(`newest-card ${unitName}`, (signal) =>
    newestCard(unitName, signal),
  )
  const report = async (id: string) => {
    await send('POST', `/api/v2/access/keys/${id}/actions/seen-at-door`, { body: {} })
    onReported()
    onClose()
  }
  // The button takes the focus only if it is there when the dialogue opens.
  if (!data && !problem) return null
  return h(
    Dialog,
    { title: t.value.openedTitle(unitName), onClose },
    el.div(
      { class: 'stack' },
      problem && failure(problem, readAgain),
      data && data.card === null && notice('warning', t.value.noNewer),
      data?.card && [
        el.p(null, t.value.openedWhich(data.card.attributes.uid, momentText(data.card.attributes.createdAt))),
        el.p(null, t.value.openedWhy),
        workProblem(work, {}, () => {}),
        button(t.value.itOpened, {
          onClick: () => void work.run(() => report(data.card?.id ?? '')),
          kind: 'main',
          icon: 'door',
          isBusy: work.isBusy,
          isFirst: true,
        }),
      ],
    ),
  )
}

/** Reads the newest first card of a guest or of the staff. A card that opens once, or a spare one, proves nothing. */
async function newestCard(
  unitName: string,
  signal: AbortSignal,
): Promise<{ card: Resource<LiveKey> | null }> {
  const path = `/api/v2/access/keys?filter[unitName]=${encodeURIComponent(unitName)}&filter[status]=live`
  const { data } = await getList<LiveKey>(`${path}&sort=-createdAt&page[size]=100`, { signal })
  const card = data.find(
    ({ attributes: { original, keyType, usage } }) =>
      original && keyType === 'keyCard' && usage !== 'OneShot' && usage !== 'Spare',
  )
  return { card: card ?? null }
}
