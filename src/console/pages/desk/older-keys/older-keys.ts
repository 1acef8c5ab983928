import { h } from 'preact'
import { useState } from 'preact/hooks'
import { asOfText, button, chip, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { openStay } from '../../lib/controls/route.ts'
import { caseRow, type Rows, useRows } from '../../lib/controls/rows.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { isLineDead } from '../../lib/server/line.ts'
import { type Message, textOf } from '../../lib/server/message.ts'
import { useRead, useReadEvery } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { CardsInHand } from './cards-in-hand.ts'
import { keyLine, type OlderKey } from './older-key.ts'
import { OpenedDoor } from './opened-door.ts'
import { t } from './texts.ts'
import { UnknownKeys } from './unknown-keys.ts'
import { useGone } from './use-gone.ts'

interface UnitWithOlderKeys {
  /** Null for the common doors of one key. */
  unitName: string | null
  authorizations: string[]
  until: string
  keys: OlderKey[]
  messages: Message[]
}

/** An attempt that fails at a lock system is no event. */
const lookAgainMs = 5_000

/** The units that a revoked key may still open, and how the clerk proves each of these keys dead. */
export function OlderKeysScreen(): View {
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    'older-keys',
    (signal) => getList<UnitWithOlderKeys>('/api/v2/access/units-with-older-keys', { signal }),
    ['key.', 'card.'],
  )
  const task = useTask(readAgain)
  useReadEvery(lookAgainMs, readAgain, !isLineDead.value)
  const units = data?.data ?? []
  const cardIds = units.flatMap(({ attributes: { keys } }) =>
    keys.flatMap(({ keyId, keyType }) => (keyType === 'keyCard' ? keyId : [])),
  )
  const rows = useRows(
    units.map(({ id }) => id),
    t.value,
    (id) =>
      openStay(units.find((each) => each.id === id)?.attributes.keys.find(({ stayId }) => stayId)?.stayId),
  )
  const gone = useGone(data?.data)
  const [opened, setOpened] = useState<string | null>(null)
  const current = units.find(({ id }) => id === rows.chosen)
  useShortcuts(
    current && mayReport(current.attributes)
      ? [{ key: 'y', name: t.value.itOpened, run: () => setOpened(current.attributes.unitName) }]
      : [],
    [current],
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    units.length > 0 && el.p({ class: 'quiet' }, t.value.meaning),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    task.refusal && notice('error', task.refusal),
    h(UnknownKeys, {}),
    gone.map(({ id, unitName, proof }) =>
      el.div({ key: id }, notice('ok', t.value.gone(unitName, t.value.proofs[proof] ?? proof))),
    ),
    data && units.length === 0 && notice('ok', t.value.none),
    cardIds.length > 0 && h(CardsInHand, { keyIds: cardIds, erased: readAgain }),
    el.ul(
      { class: 'cases' },
      units.map((unit) => caseOf(unit, rows, task, setOpened)),
    ),
    opened !== null &&
      h(OpenedDoor, { unitName: opened, onClose: () => setOpened(null), onReported: readAgain }),
  )
}

function caseOf(
  unit: Resource<UnitWithOlderKeys>,
  rows: Rows,
  task: Task,
  askOpened: (unitName: string | null) => void,
): View {
  const { id, attributes } = unit
  const { unitName, authorizations, until, keys, messages } = attributes
  const title = unitName ?? authorizations.join(', ')
  return caseRow(
    id,
    rows,
    el.div({ class: 'row' }, el.h2(null, title), chip('error', t.value.until(momentText(until)), 'key')),
    el.ul(
      null,
      keys.map((key) => el.li({ key: key.keyId }, keyLine(key, title, task))),
    ),
    el.p(null, el.strong(null, t.value.whatToDo), ' ', remedyOf(messages)),
    mayReport(attributes) &&
      button(t.value.itOpened, {
        onClick: () => askOpened(unitName),
        icon: 'door',
        ...(id === rows.chosen && { letter: 'y' }),
        name: `${t.value.itOpened}: ${title}`,
      }),
  )
}

/** Whether a card has been made that ends these cards when it opens the door. No card ends a PIN. */
const mayReport = ({ unitName, messages }: UnitWithOlderKeys) =>
  may('keys.block') && unitName !== null && messages.some(({ code }) => code === 'open-with-newest')

/** Returns the next action for a clerk, because the box's own message names API routes. */
function remedyOf(messages: readonly Message[]): string {
  if (messages.some(({ code }) => code === 'erase-or-renew')) return t.value.renew
  return textOf(messages).replace(' (seen-at-door)', '')
}
