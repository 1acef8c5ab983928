import { h } from 'preact'
import { useState } from 'preact/hooks'
import { get, type Resource, send } from '../../lib/api.ts'
import { Choice, chip, Field, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { useRead } from '../../lib/read.ts'
import { applied, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { StepOptions } from '../house.ts'
import { SchemaForm, type SettingsSchema, settingsOf, typedSettings } from '../schema-form.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

interface Driver {
  vendor: string
  capability: string
  connection?: SettingsSchema & { examples?: Record<string, unknown>[] }
  credentials?: SettingsSchema
}

interface Mapping {
  mapped: { unitName: string }[]
  kept: { unitName: string }[]
  unmapped: { unitName: string; reason: string }[]
}

/** The key system of the doors, and which of its locks belongs to which room. */
export function LocksStep({ house, changed }: StepOptions): View {
  const {
    data: drivers,
    problem,
    isLoading,
    readAgain,
  } = useRead('drivers', async (signal) => {
    const { data } = await get<Resource<Driver>[]>('/api/config/v1/drivers', { signal })
    return data.filter(({ attributes }) => attributes.capability === 'lock-system')
  })
  const own = house.document.lockSystems ?? []
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.locks.why),
    own.map((each) =>
      h(LockSystem, {
        key: each.name,
        name: each.name,
        driver: each.driver ?? '',
        mapped: each.unitMapping?.length ?? 0,
        changed,
      }),
    ),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    drivers && h(NewLockSystem, { drivers, isFirst: own.length === 0, changed }),
  )
}

interface LockSystemOptions {
  name: string
  driver: string
  mapped: number
  changed: () => void
}

function LockSystem({ name, driver, mapped, changed }: LockSystemOptions): View {
  const [pattern, setPattern] = useState('{name}')
  const [mapping, setMapping] = useState<Mapping | null>(null)
  const saving = useSaving()
  const map = () =>
    saving.run(async () => {
      const { data } = await get<Resource<{ name: string }>[]>(
        '/api/config/v1/access-providers?page[size]=100',
      )
      const found = data.find(({ attributes }) => attributes.name === name)
      const path = `/api/config/v1/access-providers/${found?.id}/actions/map-units`
      const { meta } = await send('POST', path, { body: { pattern }, timeoutMs: 60_000 })
      setMapping(meta as unknown as Mapping)
    }, changed)
  return el.article(
    { class: 'device', 'aria-label': name },
    el.div(
      { class: 'row' },
      el.h2(null, name),
      el.span(null, driver),
      chip(mapped > 0 ? 'ok' : 'warning', t.value.locks.mapped(mapped), 'key'),
    ),
    stepForm(
      { saving, save: map, label: t.value.locks.map },
      h(Field, {
        label: t.value.locks.pattern,
        value: pattern,
        onInput: setPattern,
        hint: t.value.locks.patternHint,
      }),
    ),
    mapping && mapping.unmapped.length === 0 && notice('ok', t.value.locks.allMapped),
    mapping &&
      mapping.unmapped.length > 0 &&
      notice(
        'warning',
        t.value.locks.unmapped(mapping.unmapped.length),
        el.ul(
          null,
          mapping.unmapped
            .slice(0, 20)
            .map((each) => el.li({ key: each.unitName }, `${each.unitName}: ${each.reason}`)),
        ),
      ),
  )
}

interface NewOptions {
  drivers: readonly Resource<Driver>[]
  isFirst: boolean
  changed: () => void
}

function NewLockSystem({ drivers, isFirst, changed }: NewOptions): View {
  const [typed, set, forget] = useDraft('locks', {
    driver: drivers[0]?.id ?? '',
    name: t.value.locks.usualName,
    settings: {} as Record<string, string>,
  })
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const saving = useSaving()
  const driver = drivers.find(({ id }) => id === typed.driver)?.attributes
  const { connection = {}, credentials = {} } = driver ?? {}
  const settings = { ...requiredOf(connection), ...typed.settings }
  const names = [connection, credentials].flatMap(({ properties = {} }) => Object.keys(properties))
  const save = () =>
    saving.run(async () => {
      const secret = settingsOf(credentials, secrets)
      const item = {
        name: typed.name,
        driver: typed.driver,
        connection: settingsOf(connection, settings),
        mapUnits: '{name}',
        ...(Object.keys(secret).length > 0 && { credentials: secret }),
      }
      await applied({ lockSystems: [item] })
      forget()
      setSecrets({})
    }, changed)
  return el.details(
    { open: isFirst, class: 'new' },
    el.summary(null, t.value.locks.add),
    stepForm(
      { saving, save, fields: [...names, 'name'], label: t.value.locks.save },
      h(Choice, {
        label: t.value.locks.driver,
        value: typed.driver,
        choices: drivers.map(({ id, attributes }) => [id, `${attributes.vendor} (${id})`] as const),
        onChange: (value: string) => set({ driver: value, settings: {} }),
      }),
      h(Field, {
        label: t.value.name,
        value: typed.name,
        onInput: (name: string) => set({ name }),
        error: saving.refusal('name'),
      }),
      h(SchemaForm, {
        schema: connection,
        values: settings,
        change: (name: string, value: string) => set({ settings: { ...settings, [name]: value } }),
        refusal: saving.refusal,
      }),
      Object.keys(credentials.properties ?? {}).length > 0 &&
        el.details(
          { open: Object.keys(credentials.properties ?? {}).some((each) => saving.refusal(each) !== null) },
          el.summary(null, t.value.secrets),
          el.p({ class: 'quiet' }, t.value.locks.ownKeys),
          h(SchemaForm, {
            schema: credentials,
            values: secrets,
            change: (name: string, value: string) => setSecrets({ ...secrets, [name]: value }),
            isSecret: true,
            refusal: saving.refusal,
          }),
        ),
    ),
  )
}

/** The required settings as in the example of the driver, so that there is something to change instead of an empty field. */
function requiredOf({ required = [], examples: [example = {}] = [] }: NonNullable<Driver['connection']>) {
  return typedSettings(
    Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name))),
  )
}
