import { h } from 'preact'
import { useState } from 'preact/hooks'
import { Choice, loadingBar } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { added, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { StepOptions } from '../house.ts'
import { SchemaForm } from '../schema-form.ts'
import { type SettingsSchema, settingsOf, typedSettings } from '../typed-settings.ts'
import { LockSystem } from './lock-system.ts'
import { nameField, stepForm } from './step-form.ts'
import { t } from './texts.ts'

interface Driver {
  vendor: string
  capability: string
  connection?: SettingsSchema & { examples?: Record<string, unknown>[] }
  credentials?: SettingsSchema
}

/** The lock system, and the lock of each room. */
export function LocksStep({ house, changed }: StepOptions): View {
  const {
    data: drivers,
    problem,
    isLoading,
    readAgain,
  } = useRead('drivers', async (signal) => {
    const { data } = await getList<Driver>('/api/config/v1/drivers', { signal })
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
        changed,
      }),
    ),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    drivers && h(NewLockSystem, { drivers, isFirst: own.length === 0, changed }),
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
      await added('lockSystems', item)
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
      nameField(typed.name, set, saving),
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

/** The required settings from the driver's example, so that the installer edits a value instead of an empty field. */
function requiredOf({ required = [], examples: [example = {}] = [] }: NonNullable<Driver['connection']>) {
  return typedSettings(
    Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name))),
  )
}
