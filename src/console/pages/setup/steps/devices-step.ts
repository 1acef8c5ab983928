import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, type Resource, send } from '../../lib/api.ts'
import { button, Choice, chip, Field, failure, type Kind, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { useRead } from '../../lib/read.ts'
import { applied, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { House, StepOptions } from '../house.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

interface Candidate {
  driver: string
  vendor: string
  capability: 'dispenser' | 'encoder'
  probing: 'nothing' | 'motor' | 'radio'
}

interface Configured {
  kind: 'dispenser' | 'encoder'
  id: string
  name: string
  driver: string
  state: 'offline' | 'starting' | 'online' | 'closed'
  identity: { model: string; firmware: string; serialNumber: string } | null
}

interface Connected {
  isPresent: boolean | null
  node: string | null
  usb: { manufacturer: string | null; product: string | null; port: string } | null
  candidates: Candidate[]
  configured: Configured[]
}

interface Driver {
  vendor: string
  capability: string
  joins?: string
}

const lookEveryMs = 4_000

async function readDevices(signal: AbortSignal) {
  const [connected, drivers] = await Promise.all([
    get<Resource<Connected>[]>('/api/config/v1/connected-devices', { signal }),
    get<Resource<Driver>[]>('/api/config/v1/drivers', { signal }),
  ])
  const isDevice = ({ attributes: { capability } }: Resource<Driver>) =>
    capability === 'dispenser' || capability === 'encoder'
  return { connected: connected.data, drivers: drivers.data.filter(isDevice) }
}

/** What is plugged in, what it may be, and whether it answers. A device appears by itself. */
export function DevicesStep({ house, changed }: StepOptions): View {
  const { data, problem, isLoading, readAgain } = useRead('devices', readDevices, [
    'controller.',
    'dispenser.',
  ])
  useEffect(() => {
    const timer = setInterval(readAgain, lookEveryMs)
    return () => clearInterval(timer)
  }, [])
  const saved = () => {
    readAgain()
    changed()
  }
  const isWithoutLocks = (house.document.lockSystems ?? []).length === 0
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.devices.why),
    isWithoutLocks && notice('warning', t.value.devices.locksFirst),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data?.connected.length === 0 &&
      notice('info', t.value.devices.none, el.p(null, t.value.devices.whatToLookFor)),
    data?.connected.map((each) =>
      h(Found, { key: each.id, device: each, house, drivers: data.drivers, saved }),
    ),
    data && h(ByAddress, { drivers: data.drivers, house, saved, isFirst: data.connected.length === 0 }),
  )
}

interface FoundOptions {
  device: Resource<Connected>
  house: House
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

function Found({ device: { id, attributes }, house, drivers, saved }: FoundOptions): View {
  const { usb, node, candidates, configured, isPresent } = attributes
  const title = [usb?.manufacturer, usb?.product].filter(Boolean).join(' ') || node || id
  const likely = candidates.map(({ driver }) => driver)
  return el.article(
    { class: 'device', 'aria-label': title },
    el.div(
      { class: 'row' },
      el.h2(null, title),
      isPresent === false && chip('error', t.value.devices.unplugged, 'alarm'),
    ),
    el.p({ class: 'quiet' }, [usb?.port, id].filter((each) => each && each !== title).join(', ')),
    configured.map((each) => h(Used, { key: each.id, device: each })),
    configured.length === 0 &&
      h(Use, {
        path: id,
        house,
        saved,
        drivers: drivers.filter((each) => likely.includes(each.id)),
        moves: candidates.some(({ probing }) => probing === 'motor'),
      }),
  )
}

const stateKinds = {
  online: 'ok',
  starting: 'info',
  closed: 'info',
  offline: 'error',
} as const satisfies Record<string, Kind>

/** A device that is in use, with a way to ask it. */
function Used({ device: { id, kind, name, driver, state, identity } }: { device: Configured }): View {
  const saving = useSaving()
  const [answer, setAnswer] = useState<string | null>(null)
  const ask = () =>
    saving.run(async () => {
      setAnswer(null)
      if (kind === 'dispenser') {
        await send('PUT', `/api/v2/access/dispensers/${id}/status/initialize`, { timeoutMs: 120_000 })
        return setAnswer(t.value.devices.moved)
      }
      const path = `/api/config/v1/access-controllers/${id}/actions/commission-step`
      const { meta } = await send('POST', path, { body: { step: 'read' }, timeoutMs: 60_000 })
      setAnswer(t.value.devices.card(String(meta?.uid)))
    })
  return el.div(
    { class: 'stack' },
    el.p(
      { class: 'row' },
      el.strong(null, name),
      driver,
      chip(stateKinds[state], t.value.devices.states[state]),
      identity && [identity.model, identity.firmware].filter(Boolean).join(' '),
    ),
    saving.problem && notice(saving.problem.code === 'no-card' ? 'info' : 'error', saving.problem.message),
    answer !== null && notice('ok', answer),
    el.p(
      { class: 'row' },
      button(kind === 'dispenser' ? t.value.devices.initialise : t.value.devices.readCard, {
        onClick: ask,
        isBusy: saving.isBusy,
        name: `${kind === 'dispenser' ? t.value.devices.initialise : t.value.devices.readCard}: ${name}`,
      }),
      kind === 'dispenser' && el.span(null, t.value.devices.movesMotor),
    ),
  )
}

interface UseOptions {
  /** Null when it is typed. */
  path: string | null
  house: House
  drivers: readonly Resource<Driver>[]
  moves: boolean
  saved: () => void
}

const asText = ({ id, attributes }: Resource<Driver>) =>
  [id, `${attributes.vendor} ${id} (${t.value.devices.kinds[attributes.capability as 'encoder']})`] as const

/** Takes a device into use: what it is, its name, and the lock system or dispenser that it belongs to. */
function Use({ path, house, drivers, moves, saved }: UseOptions): View {
  const { dispensers = [], encoders = [], lockSystems = [] } = house.document
  const [typed, set, forget] = useDraft(`device ${path ?? ''}`, {
    driver: drivers[0]?.id ?? '',
    path: '',
    name: null as string | null,
    lockSystem: lockSystems[0]?.name ?? '',
    dispenser: null as string | null,
  })
  const saving = useSaving()
  const isDispenser = drivers.find(({ id }) => id === typed.driver)?.attributes.capability === 'dispenser'
  const free = dispensers.find(({ name }) => !encoders.some(({ dispenser }) => dispenser === name))?.name
  const dispenser = typed.dispenser ?? free ?? ''
  const suggested = isDispenser
    ? numbered(
        t.value.devices.usualDispenser,
        dispensers.map(({ name }) => name),
      )
    : numbered(
        dispenser === '' ? t.value.devices.usualEncoder : t.value.devices.encoderOf(dispenser),
        encoders.map(({ name }) => name),
      )
  const name = typed.name ?? suggested
  const save = () =>
    saving.run(async () => {
      const device = { driver: typed.driver, path: path ?? typed.path }
      const encoder = {
        name,
        lockSystem: typed.lockSystem || lockSystems[0]?.name,
        device,
        ...(dispenser && { dispenser }),
      }
      await applied(isDispenser ? { dispensers: [{ name, device }] } : { encoders: [encoder] })
      forget()
    }, saved)
  if (drivers.length === 0) return el.p(null, t.value.devices.noDriver)
  return stepForm(
    {
      saving,
      save,
      fields: ['name', 'path'],
      label: t.value.devices.use,
      isDisabled: !isDispenser && lockSystems.length === 0,
    },
    h(Choice, {
      label: t.value.devices.whatIsIt,
      value: typed.driver,
      choices: drivers.map(asText),
      onChange: (driver: string) => set({ driver, name: null }),
    }),
    path === null &&
      h(Field, {
        label: t.value.devices.address,
        value: typed.path,
        onInput: (value: string) => set({ path: value }),
        hint: t.value.devices.addressHint,
        error: saving.refusal('path'),
        isRequired: true,
        isFirst: true,
      }),
    h(Field, {
      label: t.value.name,
      value: name,
      onInput: (value: string) => set({ name: value }),
      error: saving.refusal('name'),
      isRequired: true,
    }),
    !isDispenser && belongs(typed.lockSystem || (lockSystems[0]?.name ?? ''), dispenser),
    (moves || isDispenser) && notice('warning', t.value.devices.movesMotor),
  )

  function belongs(lockSystem: string, from: string): View {
    return el.div(
      { class: 'columns' },
      h(Choice, {
        label: t.value.devices.lockSystem,
        value: lockSystem,
        choices: lockSystems.map((each) => [each.name, each.name] as const),
        onChange: (value: string) => set({ lockSystem: value }),
      }),
      h(Choice, {
        label: t.value.devices.cardsFrom,
        value: from,
        choices: [
          ['', t.value.devices.byHand] as const,
          ...dispensers.map((each) => [each.name, each.name] as const),
        ],
        onChange: (value: string) => set({ dispenser: value }),
      }),
    )
  }
}

/** `Desk`, and `Desk 2` when that name is taken. */
function numbered(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  for (let number = 2; ; number++) if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`
}

type ByAddressOptions = Omit<UseOptions, 'path' | 'moves'> & { isFirst: boolean }

/** For devices in the network and others that do not show themselves. */
function ByAddress({ isFirst, ...more }: ByAddressOptions): View {
  return el.details(
    { open: isFirst, class: 'new' },
    el.summary(null, t.value.devices.byAddress),
    h(Use, { ...more, path: null, moves: false }),
  )
}
