import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, chip, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { getList, type Resource, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { added, applied, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { StepOptions } from '../house.ts'
import { SchemaForm, type SchemaFormOptions } from '../schema-form.ts'
import { type SettingsSchema, settingsOf } from '../typed-settings.ts'
import { nameField, stepForm } from './step-form.ts'
import { t } from './texts.ts'

interface Adapter {
  description: string
  transports: string[]
  connection: SettingsSchema
  credentials: SettingsSchema
}

interface Configuration {
  name: string
  adapter: string
  enabled: boolean
  direction: 'FromPms' | 'ToPms' | 'Both'
}

interface Counts {
  received: number
  applied: number
  quarantined: number
  /**
   * The number of reservations from the PMS in the box; it may have fetched them before the button is pressed. Null for
   * an installer without access to them.
   */
  here: number | null
}

/** The PMS: its connection, and a first import that sends nothing to the PMS. */
export function PmsStep({ changed }: StepOptions): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'pms',
    async (signal) => {
      const [adapters, configured] = await Promise.all([
        getList<Adapter>('/api/config/v1/adapters', { signal }),
        getList<Configuration>('/api/config/v1/pms-configurations', { signal }),
      ])
      return {
        adapters: adapters.data.filter(({ id }) => id !== 'standalone'),
        configured: configured.data.filter(({ attributes }) => attributes.adapter !== 'standalone'),
      }
    },
    ['pms.'],
  )
  const saved = () => {
    readAgain()
    changed()
  }
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.pms.why),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data?.configured.map((each) => h(Connection, { key: each.id, pms: each, saved })),
    data && h(NewConnection, { adapters: data.adapters, isFirst: data.configured.length === 0, saved }),
  )
}

function Connection({
  pms: { id, attributes },
  saved,
}: {
  pms: Resource<Configuration>
  saved: () => void
}): View {
  const { name, adapter, enabled, direction } = attributes
  const saving = useSaving()
  const [counts, setCounts] = useState<Counts | null>(null)
  const change = (part: Partial<Configuration>) => applied({ pms: [{ name, adapter, ...part }] })
  const fetchOnly = () =>
    saving.run(async () => {
      if (!enabled || direction !== 'FromPms') await change({ enabled: true, direction: 'FromPms' })
      const path = `/api/config/v1/pms-configurations/${id}/actions/pull`
      const { meta } = await send('POST', path, { timeoutMs: 120_000 })
      setCounts({ ...(meta as { counts: Counts }).counts, here: await reservationsOf(id) })
    }, saved)
  const open = () => saving.run(() => change({ enabled: true, direction: 'Both' }), saved)
  const close = () => saving.run(() => change({ enabled: false }), saved)
  return el.article(
    { class: 'device', 'aria-label': name },
    el.div(
      { class: 'row' },
      el.h2(null, name),
      adapter,
      enabled
        ? chip('ok', direction === 'Both' ? t.value.pms.both : t.value.pms.onlyFetches)
        : chip('info', t.value.pms.off),
    ),
    saving.others([]).map((each) => notice('error', each)),
    counts &&
      notice(
        'ok',
        t.value.pms.fetched(counts.received, counts.applied, counts.quarantined),
        counts.here !== null && el.p(null, t.value.pms.here(counts.here)),
      ),
    el.p(
      { class: 'row' },
      button(t.value.pms.dryPull, {
        onClick: fetchOnly,
        isBusy: saving.isBusy,
        icon: 'download',
        kind: enabled ? 'plain' : 'main',
      }),
      direction !== 'Both' && enabled && button(t.value.pms.open, { onClick: open, kind: 'main' }),
      enabled && button(t.value.pms.close, { onClick: close }),
    ),
  )
}

async function reservationsOf(configurationId: string): Promise<number | null> {
  if (!may('reservations.read')) return null
  const path = `/api/v2/reservations?filter[integrationId]=${configurationId}&page[size]=1&withTotal=true`
  const { meta } = await getList(path)
  return (meta as { total: number }).total
}

interface NewOptions {
  adapters: readonly Resource<Adapter>[]
  isFirst: boolean
  saved: () => void
}

function NewConnection({ adapters, isFirst, saved }: NewOptions): View {
  const [typed, set, forget] = useDraft('pms', {
    adapter: '',
    name: '',
    transport: '',
    settings: {} as Record<string, string>,
  })
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const saving = useSaving()
  const adapter = adapters.find(({ id }) => id === typed.adapter)?.attributes
  const transport = typed.transport || adapter?.transports[0]
  const name = typed.name || `PMS ${typed.adapter}`
  const schemas = adapter ? [adapter.connection, adapter.credentials] : []
  const names = schemas.flatMap(({ properties = {} }) => Object.keys(properties))
  const save = () =>
    saving.run(async () => {
      if (!adapter) return
      const item = {
        name,
        adapter: typed.adapter,
        enabled: false,
        direction: 'FromPms',
        connection: settingsOf(adapter.connection, typed.settings),
        credentials: settingsOf(adapter.credentials, secrets),
        ...(transport && { transport }),
      }
      await added('pms', item)
      forget()
      setSecrets({})
    }, saved)
  return el.details(
    { open: isFirst, class: 'new' },
    el.summary(null, t.value.pms.add),
    stepForm(
      { saving, save, fields: [...names, 'name'], label: t.value.save, isDisabled: !adapter },
      h(Choice, {
        label: t.value.pms.which,
        value: typed.adapter,
        choices: [
          ['', '–'] as const,
          ...adapters.map(({ id, attributes }) => [id, `${id}: ${attributes.description}`] as const),
        ],
        onChange: (value: string) => set({ adapter: value, settings: {}, transport: '' }),
      }),
      adapter && nameField(name, set, saving),
      adapter &&
        adapter.transports.length > 1 &&
        h(Choice, {
          label: t.value.pms.transport,
          value: transport ?? '',
          choices: adapter.transports.map((each) => [each, each.toUpperCase()] as const),
          onChange: (value: string) => set({ transport: value }),
        }),
      adapter &&
        h(SchemaForm, {
          schema: adapter.connection,
          values: typed.settings,
          change: (field: string, value: string) => set({ settings: { ...typed.settings, [field]: value } }),
          refusal: saving.refusal,
        }),
      adapter &&
        secretFields({
          schema: adapter.credentials,
          values: secrets,
          change: (field, value) => setSecrets({ ...secrets, [field]: value }),
          refusal: saving.refusal,
        }),
    ),
  )
}

function secretFields(options: SchemaFormOptions): View | null {
  if (Object.keys(options.schema.properties ?? {}).length === 0) return null
  return el.fieldset(null, el.legend(null, t.value.secrets), h(SchemaForm, { ...options, isSecret: true }))
}
