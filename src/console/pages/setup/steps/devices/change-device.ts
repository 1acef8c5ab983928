import { h } from 'preact'
import { useState } from 'preact/hooks'
import { getAll, getOne, type Resource, send } from '../../../lib/api.ts'
import { button, Choice, Field, loadingBar } from '../../../lib/controls.ts'
import { el, type View } from '../../../lib/el.ts'
import { useRead } from '../../../lib/read.ts'
import { failure } from '../../../lib/refusal-text.ts'
import { confirmed } from '../../../lib/session.ts'
import { useSaving } from '../../apply.ts'
import { useAskBefore } from '../../ask-before.ts'
import { stepForm } from '../step-form.ts'
import { t } from '../texts.ts'
import type { Driver } from './connected.ts'
import { useTriedAddress } from './tried.ts'

const base = '/api/config/v1'
const paths = {
  dispenser: 'dispensers',
  encoder: 'access-controllers',
  'payment-terminal': 'payment-terminals',
} as const

/** The fields of a device that this form changes. */
interface Stored {
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

interface ChangeOptions {
  id: string
  name: string
  kind: keyof typeof paths
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

/** Folded: the form that edits a device, and the button that removes it. It reads the device when it is opened. */
export function ChangeDevice(options: ChangeOptions): View {
  const [isOpen, setOpen] = useState(false)
  const text = t.value.devices
  const close = () => {
    setOpen(false)
    options.saved()
  }
  return el.details(
    { class: 'new', open: isOpen, onToggle: ({ currentTarget }) => setOpen(currentTarget.open) },
    el.summary(null, text.change(options.name)),
    isOpen && h(StoredDevice, { ...options, saved: close }),
  )
}

/** A device with its ETag, and what it may belong to. */
interface Read {
  stored: Stored
  etag: string | null
  belonging: Record<'providerId' | 'dispenserId' | 'controllerId', (readonly [id: string, name: string])[]>
}

function StoredDevice(options: ChangeOptions): View {
  const { id, kind } = options
  const { data, problem, readAgain } = useRead(
    `change ${id}`,
    async (signal): Promise<Read> => {
      const named = async (path: string) =>
        (await getAll<{ name: string; kind?: string }>(`${base}/${path}?page[size]=100`, 500, signal)).data
      const [one, providers, dispensers, controllers] = await Promise.all([
        getOne<Stored>(`${base}/${paths[kind]}/${id}`, { signal }),
        named('access-providers'),
        named('dispensers'),
        named('access-controllers'),
      ])
      const choices = (all: typeof providers) => all.map((each) => [each.id, each.attributes.name] as const)
      return {
        stored: one.data.attributes,
        etag: one.etag,
        belonging: {
          providerId: choices(providers),
          dispenserId: choices(dispensers),
          controllerId: choices(controllers.filter((each) => each.attributes.kind === 'dispenser-encoder')),
        },
      }
    },
    [],
  )
  if (problem) return failure(problem, readAgain)
  if (!data) return loadingBar(true) ?? el.p(null)
  return h(ChangeForm, { key: data.etag ?? '', ...options, ...data })
}

function ChangeForm({
  id,
  name: known,
  kind,
  drivers,
  saved,
  stored,
  etag,
  belonging,
}: ChangeOptions & Read): View {
  const text = t.value.devices
  const at = `${base}/${paths[kind]}/${id}`
  const before = {
    name: stored.name,
    driver: stored.device?.driver ?? stored.driver ?? '',
    path: stored.device?.path ?? stored.path ?? '',
    externalCode: stored.externalCode ?? '',
    acceptReturns: stored.acceptReturns ?? false,
    presentTimeoutSeconds: String(stored.presentTimeoutSeconds ?? ''),
    providerId: stored.providerId ?? '',
    dispenserId: stored.dispenserId ?? '',
    controllerId: stored.controllerId ?? '',
  }
  const [typed, setTyped] = useState(before)
  const set = (part: Partial<typeof before>) => setTyped((last) => ({ ...last, ...part }))
  const saving = useSaving()
  const removing = useSaving()
  const tried = useTriedAddress()
  const { ask, dialog } = useAskBefore()
  const able = drivers.filter(({ attributes }) => attributes.capability === kind)
  // A model stands for its driver.
  const driver = able.find((each) => [each.id, ...each.attributes.models].includes(typed.driver))
  const address = { driver: typed.driver, path: typed.path.trim() }
  // The encoder of a key system has a code there, and no device of its own.
  const hasDevice = kind === 'payment-terminal' || (stored.device ?? null) !== null
  // The box does not ask a device that it uses: with another driver, the device is tried by its use.
  const isElsewhere = address.path !== before.path
  const isMoved = isElsewhere || address.driver !== before.driver
  const save = () =>
    saving.run(async () => {
      if (isElsewhere && address.path !== '' && !(await tried.isUsable(address))) return
      await confirmed(() => send('PATCH', at, { body: changes(), ifMatch: etag }))
      saved()
    })
  const remove = () => removing.run(() => confirmed(() => send('DELETE', at, { ifMatch: etag })), saved)

  /** Options of another driver would be refused. */
  function changes(): Partial<Stored> {
    const name = typed.name.trim()
    if (kind === 'payment-terminal') return { name, ...address, controllerId: typed.controllerId || null }
    const { options, ...plain } = { options: null, ...stored.device }
    const kept = address.driver === before.driver ? { ...plain, options } : plain
    const device = isMoved && hasDevice && { ...kept, ...address, path: address.path || null }
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

  const choice = (field: keyof Read['belonging'], label: string, none?: string) =>
    h(Choice, {
      label,
      value: typed[field],
      choices: [...(none === undefined ? [] : [['', none] as const]), ...belonging[field]],
      onChange: (value: string) => set({ [field]: value }),
    })
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
      h(Field, {
        label: t.value.name,
        value: typed.name,
        onInput: (name: string) => set({ name }),
        error: saving.refusal('name'),
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
          error: saving.refusal('path'),
          isRequired: before.path !== '',
        }),
      kind === 'dispenser' && dispenserFields(typed, set, saving.refusal('presentTimeoutSeconds')),
      (!hasDevice || before.externalCode !== '') &&
        h(Field, {
          label: text.externalCode,
          value: typed.externalCode,
          onInput: (externalCode: string) => set({ externalCode }),
          error: saving.refusal('externalCode'),
          maxLength: 60,
        }),
      kind === 'encoder' && choice('providerId', text.lockSystem),
      kind === 'encoder' && choice('dispenserId', text.cardsFrom, text.byHand),
      kind === 'payment-terminal' &&
        choice('controllerId', t.value.terminals.beside, t.value.terminals.anyKiosk),
      isElsewhere &&
        address.path !== '' &&
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

type OfDispenser = Record<'presentTimeoutSeconds', string> & Record<'acceptReturns', boolean>

/** How long a card waits for its guest, and whether guests hand their cards back. */
function dispenserFields(
  typed: OfDispenser,
  set: (part: Partial<OfDispenser>) => void,
  error: string | null,
): View[] {
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
