import { type Answered, ApiError, get, type Resource, send } from '../../lib/api.ts'
import { asOfText, button, chip, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { type Message, textOf } from '../../lib/message.ts'
import { useRead } from '../../lib/read.ts'
import { linkTo } from '../../lib/route.ts'
import { useRows } from '../../lib/rows.ts'
import { may } from '../../lib/session.ts'
import { type Task, useTask } from '../../lib/task.ts'
import { t } from './texts.ts'

interface OlderKey {
  keyId: string
  status: string
  keyType: string
  uid: string | null
  stayId: string | null
  validUntil: string | null
}

interface UnitWithOlderKeys {
  unitName: string | null
  until: string
  keys: OlderKey[]
  messages: Message[]
}

interface LiveKey {
  unitName: string | null
  status: string
}

/** The units that a key may still open although it should not, and how each of these keys is proven dead. */
export function OlderKeysScreen(): View {
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    'older-keys',
    (signal) => get<Resource<UnitWithOlderKeys>[]>('/api/v2/access/units-with-older-keys', { signal }),
    ['key.', 'card.'],
  )
  const task = useTask(readAgain)
  const units = data?.data ?? []
  const { chosen, choose } = useRows(
    units.map(({ id }) => id),
    t.value,
    () => {},
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    el.p({ class: 'quiet' }, t.value.meaning),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    task.refusal && notice('error', task.refusal),
    data && units.length === 0 && notice('ok', t.value.none),
    el.ul(
      { class: 'cases' },
      units.map((unit) => caseOf(unit, unit.id === chosen, () => choose(unit.id), task)),
    ),
  )
}

function caseOf(
  { id, attributes }: Resource<UnitWithOlderKeys>,
  isChosen: boolean,
  choose: () => void,
  task: Task,
): View {
  const { unitName, until, keys, messages } = attributes
  return el.li(
    { key: id, id: `row-${id}`, class: isChosen ? 'case chosen' : 'case', onClick: choose },
    el.div({ class: 'row' }, el.h2(null, unitName), chip('error', t.value.until(momentText(until)), 'key')),
    el.ul(
      null,
      keys.map((key) => el.li({ key: key.keyId }, keyText(key))),
    ),
    el.p(
      null,
      el.strong(null, t.value.whatToDo),
      ' ', // The button below is what the message calls by the name of its route.
      textOf(messages).replace(' (seen-at-door)', ''),
    ),
    may('keys.issue') &&
      unitName !== null &&
      button(t.value.itOpened, {
        onClick: () => task.run(id, () => seenAtDoor(unitName)),
        icon: 'door',
        isBusy: task.busy === id,
        name: `${t.value.itOpened}: ${unitName}`,
      }),
  )
}

function keyText({ uid, status, validUntil, stayId }: OlderKey): View {
  return el.span(
    null,
    uid ? t.value.card(uid.slice(0, 4)) : t.value.pin,
    ', ',
    t.value.status(status),
    validUntil && `, ${t.value.validUntil(momentText(validUntil))}`,
    stayId && [' ', el.a({ href: linkTo('stay', stayId) }, t.value.guest)],
  )
}

/** Somebody has opened the door with the newest card: that proves the older ones of the unit dead. */
async function seenAtDoor(unitName: string): Promise<void> {
  const live: Answered<Resource<LiveKey>[]> = await get(
    `/api/v2/access/keys?filter[unitName]=${encodeURIComponent(unitName)}&filter[status]=live&sort=-createdAt&page[size]=1`,
  )
  const [newest] = live.data
  if (!newest)
    throw new ApiError(404, [{ code: 'not-found', title: t.value.noNewer, detail: t.value.noNewer }], null)
  await send('POST', `/api/v2/access/keys/${newest.id}/actions/seen-at-door`, { body: {} })
}
