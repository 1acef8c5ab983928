import { h } from 'preact'
import { Choice, Field, notice } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import type { Resource } from '../../../lib/server/api.ts'
import { added, useSaving } from '../../apply.ts'
import { useDraft } from '../../draft.ts'
import type { House } from '../../house.ts'
import { nameField, stepForm } from '../step-form.ts'
import { t } from '../texts.ts'
import type { Driver } from './connected.ts'
import { numbered } from './numbered.ts'
import { ProbePart } from './probe-part.ts'
import { useTriedAddress } from './tried.ts'

interface UseOptions {
  /** Null for a typed address. */
  path: string | null
  house: House
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

const asText = ({ id, attributes }: Resource<Driver>) =>
  [id, `${attributes.vendor} ${id} (${t.value.devices.kinds[attributes.capability as 'encoder']})`] as const

/** Configures a device: its driver, its name, and the lock system or dispenser that it belongs to. */
export function UseDevice({ path, house, drivers, saved }: UseOptions): View {
  const { dispensers = [], encoders = [], lockSystems = [] } = house.document
  const [typed, set, forget] = useDraft(`device ${path ?? ''}`, {
    driver: drivers[0]?.id ?? '',
    path: '',
    name: null as string | null,
    lockSystem: lockSystems[0]?.name ?? '',
    dispenser: null as string | null,
  })
  const saving = useSaving()
  const tried = useTriedAddress()
  const chosen = drivers.find(({ id }) => id === typed.driver)?.attributes
  const isDispenser = chosen?.capability === 'dispenser'
  const free = dispensers.find(({ name }) => !encoders.some(({ dispenser }) => dispenser === name))?.name
  const dispenser = typed.dispenser ?? free ?? ''
  const name = typed.name ?? suggestedName(house.document, isDispenser ? null : dispenser)
  const device = { driver: typed.driver, path: path ?? typed.path.trim() }
  const save = () =>
    saving.run(async () => {
      if (!(await tried.isUsable(device))) return
      const encoder = {
        name,
        lockSystem: typed.lockSystem || lockSystems[0]?.name,
        device,
        ...(dispenser && { dispenser }),
      }
      if (isDispenser) await added('dispensers', { name, device })
      else await added('encoders', encoder)
      forget()
      saved()
    })
  if (drivers.length === 0) return el.p(null, t.value.devices.noDriver)
  return stepForm(
    {
      saving,
      save,
      fields: path === null ? ['name', 'path'] : ['name'],
      label: tried.label(t.value.devices.use, device),
      isDisabled: !isDispenser && lockSystems.length === 0,
    },
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
    h(ProbePart, { key: device.path, path: device.path, found: (driver) => set({ driver, name: null }) }),
    h(Choice, {
      label: t.value.devices.whatIsIt,
      value: typed.driver,
      choices: drivers.map(asText),
      onChange: (driver: string) => set({ driver, name: null }),
    }),
    nameField(name, set, saving),
    !isDispenser && belongs(house.document, typed.lockSystem || (lockSystems[0]?.name ?? ''), dispenser, set),
    (isDispenser || chosen?.provenance.probing === 'motor') && notice('warning', t.value.devices.movesMotor),
    tried.notice(device),
  )
}

/** The lock system of an encoder, and the dispenser that hands it cards. */
function belongs(
  { lockSystems = [], dispensers = [] }: House['document'],
  lockSystem: string,
  from: string,
  set: (part: { lockSystem: string } | { dispenser: string }) => void,
): View {
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

/** A name that no device has yet. `dispenser`: that of an encoder; empty for one without, null for a dispenser. */
function suggestedName({ dispensers = [], encoders = [] }: House['document'], dispenser: string | null) {
  const { usualDispenser, usualEncoder, encoderOf } = t.value.devices
  const taken = (all: readonly { name: string }[]) => all.map(({ name }) => name)
  if (dispenser === null) return numbered(usualDispenser, taken(dispensers))
  return numbered(dispenser === '' ? usualEncoder : encoderOf(dispenser), taken(encoders))
}

type ByAddressOptions = Omit<UseOptions, 'path'> & { isFirst: boolean }

/** For network devices, and other devices that cannot be detected. */
export function UseByAddress({ isFirst, ...more }: ByAddressOptions): View {
  return el.details(
    { open: isFirst, class: 'new' },
    el.summary(null, t.value.devices.byAddress),
    h(UseDevice, { ...more, path: null }),
  )
}
