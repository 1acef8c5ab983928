import { h } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { getList, getOne, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { useSaving } from '../apply.ts'
import { stepForm } from '../steps/step-form.ts'
import { t } from './texts.ts'

const counts = ['daily', 'weekly', 'monthly'] as const

interface Chosen {
  at: string
  daily: number
  weekly: number
  monthly: number
}

interface ScheduleFacts extends Chosen {
  copyTo: string | null
  settingsFile: string | null
}

/** When backups are made and how many are kept, the form that changes it, and where the folders are changed. */
export function Schedule(): View | null {
  const { data, problem, readAgain } = useRead(
    'backup schedule',
    async (signal) =>
      (await getOne<ScheduleFacts>('/api/config/v1/backup-schedule', { signal })).data.attributes,
  )
  if (!data) return problem && failure(problem, readAgain)
  const { at, daily, weekly, monthly, copyTo, settingsFile } = data
  return el.div(
    { class: 'stack' },
    el.p(
      null,
      t.value.nightly(at, daily, weekly, monthly),
      ' ',
      copyTo === null ? '' : t.value.copiedTo(copyTo),
    ),
    may('config.write') &&
      el.details(
        { class: 'new' },
        el.summary(null, t.value.schedule.change),
        h(ScheduleForm, { key: JSON.stringify(data), schedule: data, saved: readAgain }),
      ),
    el.p(
      { class: 'quiet' },
      settingsFile === null ? t.value.fixedFolders : t.value.changeFolders(settingsFile),
      ' ',
      settingsFile !== null && el.a({ href: '/handbook/backup#retention' }, t.value.howToChange),
    ),
  )
}

function ScheduleForm({ schedule, saved }: { schedule: Chosen; saved: () => void }): View {
  const { at, daily, weekly, monthly } = schedule
  const [typed, setTyped] = useState({
    at,
    daily: String(daily),
    weekly: String(weekly),
    monthly: String(monthly),
  })
  const saving = useSaving()
  const save = () =>
    saving.run(async () => {
      const numbers = Object.fromEntries(counts.map((each) => [each, Number(typed[each])]))
      await confirmed(() => saveSchedule({ ...numbers, at: typed.at }))
    }, saved)
  const field = (name: keyof Chosen, more: { type: 'time' } | { type: 'number'; min: string; max: string }) =>
    h(Field, {
      label: t.value.schedule[name],
      value: typed[name],
      onInput: (value: string) => setTyped({ ...typed, [name]: value }),
      error: saving.refusal(name),
      isRequired: true,
      ...more,
    })
  return stepForm(
    { saving, save, fields: ['at', ...counts], label: t.value.schedule.save },
    el.div(
      { class: 'columns' },
      field('at', { type: 'time' }),
      counts.map((each) => field(each, { type: 'number', min: '1', max: '400' })),
    ),
  )
}

/** Stores the schedule in the settings of the property. Throws ApiError. */
async function saveSchedule(backupSchedule: object): Promise<void> {
  const { data } = await getList('/api/config/v1/settings')
  await send('PATCH', `/api/config/v1/settings/${data[0]!.id}`, { body: { backupSchedule } })
}
