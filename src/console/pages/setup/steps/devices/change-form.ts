import { Fragment, h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Field } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { failure } from '../../../lib/controls/failure.ts'
import { type Resource, send } from '../../../lib/server/api.ts'
import { confirmed } from '../../../lib/server/session.ts'
import { useSaving } from '../../apply.ts'
import { useAskBefore } from '../../ask-before.ts'
import { stepForm } from '../step-form.ts'
import { t } from '../texts.ts'
import type { Driver } from './connected.ts'
import { useTriedAddress } from './tried.ts'

type Kind = 'dispenser' | 'encoder' | 'payment-terminal'

/** The fields of a device that this form changes. */
export interface Stored {
  name: string
  /** Of a dispenser and an encoder. */
  device?: ({ driver: string; path?: string | null } & Record<string, unknown>) | null
  /** Of a dispenser. */
  acceptReturns?: boolean | null
  presentTimeoutSeconds?: number | null
  /** Of an encoder: its number or code at the key system. */
  externalCode?: string | null
  /** Of a payment terminal. */
  driver?: string
  path?: string
  providerId?: string
  dispenserId?: string | null
  kind?: string
  controllerId?: string | null
}

export interface ChangeOptions {
  /** Its address in the interface. */
  at: string
  name: string
  kind: Kind
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

/** A device with its ETag, and what it may belong to. */
export interface Read {
  stored: Stored
  etag: string | null
  belonging: Record<'providerId' | 'dispenserId' | 'controllerId', (readonly [id: string, name: string])[]>
}

/** What the form shows; empty where the device has no such value. */
const typedOf = (stored: Stored) => ({
  name: stored.name,
  driver: stored.device?.driver ?? stored.driver ?? '',
  path: stored.device?.path ?? stored.path ?? '',
  externalCode: stored.externalCode ?? '',
  acceptReturns: stored.acceptReturns ?? false,
  presentTimeoutSeconds: String(stored.presentTimeoutSeconds ?? ''),
  providerId: stored.providerId ?? '',
  dispenserId: stored.dispenserId ?? '',
  controllerId: stored.controllerId ?? '',
})
type Typed = ReturnType<typeof typedOf>

const addressOf = ({ driver, path }: Typed) => ({ driver, path: path.trim() })

/** The encoder of a key system has a code there, and no device of its own. */
const isWired = (kind: Kind, { device }: Stored) => kind === 'payment-terminal' || (device ?? null) !== null

/** The changed fields of a device. Options of another driver would be refused. */
function changesOf(kind: Kind, stored: Stored, typed: Typed): Partial<Stored> {
  const before = typedOf(stored)
  const address = addressOf(typed)
  const name = typed.name.trim()
  if (kind === 'payment-terminal') return { name, ...address, controllerId: typed.controllerId || null }
  const { options, ...plain } = { options: null, ...stored.device }
  const kept = address.driver === before.driver ? { ...plain, options } : plain
  const isMoved = address.path !== before.path || address.driver !== before.driver
  const device = isMoved && isWired(kind, stored) && { ...kept, ...address, path: address.path || null }
  const changed = { name, ...(device && { device }) }
  if (kind === 'dispenser')
    return {
      ...changed,
      acceptReturns: typed.acceptReturns,
      presentTimeoutSeconds: Number(typed.presentTimeoutSeconds),
    }
  const dispenserId = typed.dispenserId || null
  return {
    ...changed,
    providerId: typed.providerId,
    ...(typed.externalCode !== before.externalCode && { externalCode: typed.externalCode.trim() || null }),
    ...(typed.dispenserId !== before.dispenserId && {
      dispenserId,
      kind: dispenserId === null ? 'encoder' : 'dispenser-encoder',
    }),
  }
}

/** The form that changes or removes a device. */
export function ChangeForm(options: ChangeOptions & Read): View {
  const { at, name: known, kind, drivers, saved, stored, etag } = options
  const text = t.value.devices
  const [typed, setTyped] = useState(() => typedOf(stored))
  const set = (part: Partial<Typed>) => setTyped((last) => ({ ...last, ...part }))
  const saving = useSaving()
  const removing = useSaving()
  const tried = useTriedAddress()
  const { ask, dialog } = useAskBefore()
  const able = drivers.filter(({ attributes }) => attributes.capability === kind)
  // A model stands for its driver.
  const driver = able.find((each) => [each.id, ...each.attributes.models].includes(typed.driver))
  const address = addressOf(typed)
  // The box does not ask a device that it uses: with another driver, the device is tried by its use.
  const isElsewhere = address.path !== '' && address.path !== typedOf(stored).path
  const save = () =>
    saving.run(async () => {
      if (isElsewhere && !(await tried.isUsable(address))) return
      await confirmed(() => send('PATCH', at, { body: changesOf(kind, stored, typed), ifMatch: etag }))
      saved()
    })
  const remove = () => removing.run(() => confirmed(() => send('DELETE', at, { ifMatch: etag })), saved)
  return el.div(
    { class: 'stack' },
    dialog,
    stepForm(
      {
        saving,
        save,
        fields: ['name', 'path', 'presentTimeoutSeconds', 'externalCode'],
        label: tried.label(t.value.save, address),
      },
      deviceFields(options, { typed, set, refusal: saving.refusal }, able, driver),
      belongingFields(options, typed, set),
      isElsewhere &&
        (kind === 'dispenser' || driver?.attributes.provenance.probing === 'motor') &&
        el.p(null, text.movesMotor),
      tried.notice(address),
    ),
    removing.problem && failure(removing.problem),
    el.p(
      { class: 'row' },
      button(text.remove(known), {
        onClick: () =>
          ask({ title: text.remove(known), why: text.whyRemove, label: text.remove(known), act: remove }),
        kind: 'danger',
        isBusy: removing.isBusy,
      }),
    ),
  )
}

interface Form {
  typed: Typed
  set: (part: Partial<Typed>) => void
  refusal: (field: string) => string | null
}

/** The name of a device, and how it is reached. */
function deviceFields(
  { kind, stored }: ChangeOptions & Read,
  { typed, set, refusal }: Form,
  able: readonly Resource<Driver>[],
  driver: Resource<Driver> | undefined,
): View {
  const text = t.value.devices
  const before = typedOf(stored)
  const hasDevice = isWired(kind, stored)
  return h(
    Fragment,
    null,
    h(Field, {
      label: t.value.name,
      value: typed.name,
      onInput: (name: string) => set({ name }),
      error: refusal('name'),
      isRequired: true,
      isFirst: true,
    }),
    hasDevice &&
      h(Choice, {
        label: text.whatIsIt,
        value: driver?.id ?? typed.driver,
        choices: able.map((each) => [each.id, `${each.attributes.vendor} ${each.id}`] as const),
        onChange: (value: string) => set({ driver: value }),
      }),
    hasDevice &&
      h(Field, {
        label: text.address,
        value: typed.path,
        onInput: (path: string) => set({ path }),
        hint: text.addressHint,
        error: refusal('path'),
        isRequired: before.path !== '',
      }),
    kind === 'dispenser' && dispenserFields(typed, set, refusal('presentTimeoutSeconds')),
    (!hasDevice || before.externalCode !== '') &&
      h(Field, {
        label: text.externalCode,
        value: typed.externalCode,
        onInput: (externalCode: string) => set({ externalCode }),
        error: refusal('externalCode'),
        maxLength: 60,
      }),
  )
}

/** What a device belongs to. */
function belongingFields({ kind, belonging }: ChangeOptions & Read, typed: Typed, set: Form['set']): View {
  const { devices, terminals } = t.value
  const choice = (field: keyof Read['belonging'], label: string, none?: string) =>
    h(Choice, {
      label,
      value: typed[field],
      choices: [...(none === undefined ? [] : [['', none] as const]), ...belonging[field]],
      onChange: (value: string) => set({ [field]: value }),
    })
  return h(
    Fragment,
    null,
    kind === 'encoder' && choice('providerId', devices.lockSystem),
    kind === 'encoder' && choice('dispenserId', devices.cardsFrom, devices.byHand),
    kind === 'payment-terminal' && choice('controllerId', terminals.beside, terminals.anyKiosk),
  )
}

/** How long a card waits for its guest, and whether guests hand their cards back. */
function dispenserFields(typed: Typed, set: Form['set'], error: string | null): View[] {
  const text = t.value.devices
  return [
    h(Field, {
      key: 'seconds',
      label: text.presentSeconds,
      value: typed.presentTimeoutSeconds,
      onInput: (presentTimeoutSeconds: string) => set({ presentTimeoutSeconds }),
      type: 'number',
      min: '1',
      max: '600',
      hint: text.presentSecondsHint,
      error,
      isRequired: true,
    }),
    el.label(
      { key: 'returns', class: 'row' },
      el.input({
        type: 'checkbox',
        checked: typed.acceptReturns,
        onChange: ({ currentTarget }) => set({ acceptReturns: currentTarget.checked }),
      }),
      text.acceptReturns,
    ),
  ]
}
