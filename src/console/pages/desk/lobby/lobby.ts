import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, chip, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { getList, type Resource, send, sendOne } from '../../lib/server/api.ts'
import { type Reading, useRead, useReadEvery } from '../../lib/server/read.ts'
import { t } from './texts.ts'

interface Device<State> {
  commands: string[]
  misbehaviours: object[]
  state: State
}

interface DispenserState {
  isPlugged: boolean
  at: 'none' | 'gate' | 'encoder' | 'chip'
  stacker: number
  supply: 'empty' | 'low' | 'enough'
  bin: number
  binCapacity: number
  isAccepting: boolean
  takesByItself: boolean
}

interface EncoderState {
  isPlugged: boolean
  laid: string | null
  lights: number
  beeps: number
}

interface TerminalState {
  isPlugged: boolean
  /** What the next guest does. */
  guest: 'pay' | 'refuse' | 'wait'
  payments: number
}

interface Lobby {
  dispenser: Device<DispenserState> | null
  encoder: Device<EncoderState> | null
  terminal: Device<TerminalState> | null
  cards: Resource<{ unitName: string | null }>[]
}

const path = '/api/config/v1/simulated-devices'
/** The lamp and the cards change without any action on this page. */
const lookAgainMs = 1_000

async function readLobby(signal: AbortSignal): Promise<Lobby> {
  const [{ data }, { data: cards }] = await Promise.all([
    getList(path, { signal }),
    getList<Lobby['cards'][number]['attributes']>('/api/config/v1/simulated-cards', { signal }),
  ])
  const named = (name: string) => data.find(({ id }) => id === name)?.attributes ?? null
  return {
    dispenser: named('dispenser') as Lobby['dispenser'],
    encoder: named('encoder') as Lobby['encoder'],
    terminal: named('terminal') as Lobby['terminal'],
    cards,
  }
}

/** The guest and the technician of the demo hotel: actions at the simulated devices, and the state of the devices. */
export function LobbyScreen(): View {
  const reading = useRead('lobby', readLobby)
  const { data, problem, readAgain } = reading
  useReadEvery(lookAgainMs, readAgain)
  const deeds = useDeeds(reading)
  return el.section(
    { class: 'stack lobby', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    el.p(null, t.value.intro, ' ', el.a({ href: '/kiosk', target: '_blank' }, t.value.openKiosk)),
    problem && failure(problem, readAgain),
    deeds.refusal && notice('error', deeds.refusal),
    data && !data.dispenser && !data.encoder && !data.terminal && notice('info', t.value.onlyDemo),
    el.div(
      { class: 'device-grid' },
      data?.dispenser && dispenserTile(data.dispenser, deeds),
      data?.encoder && encoderTile(data.encoder, deeds),
      data?.terminal && terminalTile(data.terminal, deeds),
      data && hand(data, deeds),
    ),
  )
}

type Deed = keyof typeof t.value.does
type Simulated = 'dispenser' | 'encoder' | 'terminal'

interface Deeds {
  refusal: string | null
  /** A button for an action at a device. */
  deed(device: Simulated, does: Deed, isPossible?: boolean, card?: string): View
  /** A button that makes the device misbehave; without a misbehaviour, it makes the device work correctly again. */
  trouble(device: Simulated, label: string, body: object | null): View
}

function useDeeds({ readAgain }: Reading<Lobby>): Deeds {
  const task = useTask(readAgain)
  const act = (device: string, does: string, card?: string) =>
    task.run(`${device} ${does} ${card}`, () =>
      send('POST', `${path}/${device}/actions/act`, { body: { does, ...(card && { card }) } }),
    )
  return {
    refusal: task.refusal,
    deed: (device, does, isPossible = true, card) =>
      button(t.value.does[does], {
        onClick: () => act(device, does, card),
        isDisabled: !isPossible,
        ...task.of(`${device} ${does} ${card}`),
      }),
    trouble: (device, label, body) =>
      button(label, {
        onClick: () =>
          task.run(label, () =>
            body
              ? send('POST', `${path}/${device}/misbehaviours`, { body })
              : send('POST', `${path}/${device}/actions/clear`),
          ),
        ...task.of(label),
      }),
  }
}

function dispenserTile({ state, misbehaviours }: Device<DispenserState>, { deed, trouble }: Deeds): View {
  const { at, stacker, supply, bin, binCapacity, isAccepting, isPlugged, takesByItself } = state
  return el.article(
    { class: 'device', 'aria-label': t.value.dispenser },
    el.div({ class: 'row' }, el.h2(null, t.value.dispenser), cableChip(isPlugged)),
    el.p(
      { class: 'row', role: 'status' },
      chip(at === 'gate' ? 'ok' : 'info', t.value.slot[at], 'card'),
      isAccepting && chip('info', t.value.accepting, 'in'),
      takesByItself && chip('info', t.value.takesByItself, 'person'),
      chip(supply === 'enough' ? 'ok' : 'warning', t.value.stacker(stacker), 'card'),
      chip(bin < binCapacity ? 'ok' : 'warning', t.value.bin(bin, binCapacity), 'down'),
    ),
    el.div(
      { class: 'row' },
      deed('dispenser', 'take-card', at === 'gate'),
      deed('dispenser', 'push-back', at === 'gate'),
      deed('dispenser', takesByItself ? 'leave-cards' : 'take-cards'),
    ),
    el.div(
      { class: 'row' },
      deed('dispenser', 'empty-stacker', stacker > 0),
      deed('dispenser', 'fill-stacker'),
      deed('dispenser', 'empty-bin', bin > 0),
      deed('dispenser', isPlugged ? 'unplug' : 'plug'),
    ),
    el.div(
      { class: 'row' },
      trouble('dispenser', t.value.jam, { at: 'move-encoder', does: 'refuse', code: '10' }),
      waiting(misbehaviours.length, () => trouble('dispenser', t.value.clear, null)),
    ),
  )
}

function encoderTile({ state, misbehaviours }: Device<EncoderState>, { deed, trouble }: Deeds): View {
  const { laid, lights, beeps, isPlugged } = state
  return el.article(
    { class: 'device', 'aria-label': t.value.encoder },
    el.div({ class: 'row' }, el.h2(null, t.value.encoder), cableChip(isPlugged)),
    el.p(
      { class: 'row', role: 'status' },
      lamp(lights),
      el.span(null, t.value.beeps(beeps)),
      laid && chip('info', t.value.laid(laid), 'card'),
    ),
    el.div(
      { class: 'row' },
      laid ? deed('encoder', 'take-away-card') : deed('encoder', 'lay-blank-card'),
      deed('encoder', isPlugged ? 'unplug' : 'plug'),
    ),
    el.div(
      { class: 'row' },
      trouble('encoder', t.value.silence, { at: 'writeBlock', does: 'silence' }),
      waiting(misbehaviours.length, () => trouble('encoder', t.value.clear, null)),
    ),
  )
}

function terminalTile({ state, misbehaviours }: Device<TerminalState>, { deed, trouble }: Deeds): View {
  const { guest, payments, isPlugged } = state
  return el.article(
    { class: 'device', 'aria-label': t.value.terminal },
    el.div({ class: 'row' }, el.h2(null, t.value.terminal), cableChip(isPlugged)),
    el.p(
      { class: 'row', role: 'status' },
      chip(guest === 'pay' ? 'ok' : 'warning', t.value.guestWill[guest], 'person'),
      chip('info', t.value.payments(payments), 'card'),
    ),
    el.div(
      { class: 'row' },
      deed('terminal', 'pay-next', guest !== 'pay'),
      deed('terminal', 'refuse-next', guest !== 'refuse'),
      deed('terminal', 'leave-next', guest !== 'wait'),
    ),
    el.div({ class: 'row' }, deed('terminal', isPlugged ? 'unplug' : 'plug')),
    el.div(
      { class: 'row' },
      trouble('terminal', t.value.silentPayment, { at: 'pay', does: 'silence' }),
      waiting(misbehaviours.length, () => trouble('terminal', t.value.clear, null)),
    ),
  )
}

function waiting(count: number, clear: () => View): View | null {
  return count === 0 ? null : el.span({ class: 'row' }, chip('warning', t.value.waiting(count)), clear())
}

const cableChip = (isPlugged: boolean) =>
  isPlugged ? chip('ok', t.value.plugged, 'line') : chip('error', t.value.unplugged, 'noline')

/** The encoder's lamp: bit 0 is red, bit 1 green, bit 2 yellow. */
function lamp(lights: number): View {
  const { off, green, red, yellow } = t.value.lamp
  if (lights & 1) return chip('error', red, 'alarm')
  if (lights & 2) return chip('ok', green)
  return lights & 4 ? chip('warning', yellow, 'clock') : chip('info', off, 'cross')
}

function hand({ cards, dispenser, encoder }: Lobby, deeds: Deeds): View {
  return el.article(
    { class: 'device', 'aria-label': t.value.hand },
    el.h2(null, t.value.hand),
    cards.length === 0 && el.p(null, t.value.noCards),
    el.ul(
      { class: 'cases' },
      cards.map(({ id, attributes: { unitName } }) =>
        el.li(
          { key: id, class: 'case' },
          el.span(
            null,
            el.strong(null, t.value.card(id)),
            ', ',
            unitName === null ? t.value.nobodys : t.value.madeFor(unitName),
          ),
          h(Door, { card: id, unitName }),
          el.div(
            { class: 'row' },
            dispenser && deeds.deed('dispenser', 'return-card', dispenser.state.isAccepting, id),
            encoder && deeds.deed('encoder', 'lay-card', encoder.state.laid === null, id),
          ),
        ),
      ),
    ),
  )
}

interface DoorAnswer {
  door: string
  opens: boolean
  reason: string
}

/** Presents one card to a door: the door of its room, unless another door is given. */
function Door({ card, unitName }: { card: string; unitName: string | null }): View {
  const [door, setDoor] = useState(unitName ?? '')
  const [answer, setAnswer] = useState<DoorAnswer | null>(null)
  const task = useTask()
  const hold = (event: Event) => {
    event.preventDefault()
    task.run('hold', async () => {
      setAnswer(null)
      const { data } = await sendOne('POST', '/api/config/v1/simulated-cards/actions/present', {
        body: { card, ...(door && { door }) },
      })
      setAnswer(data.meta as unknown as DoorAnswer)
    })
  }
  return el.form(
    { class: 'stack', onSubmit: hold },
    el.div(
      { class: 'row door' },
      h(Field, { label: t.value.door, value: door, onInput: setDoor, maxLength: 60 }),
      button(t.value.hold, { onClick: () => {}, type: 'submit', icon: 'door', isBusy: task.busy !== null }),
    ),
    task.refusal && notice('error', task.refusal),
    answer &&
      notice(
        answer.opens ? 'ok' : 'warning',
        answer.opens ? t.value.opens(answer.door) : t.value.shut(answer.door),
        el.p(null, answer.reason),
      ),
  )
}
