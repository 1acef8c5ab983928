import { h } from 'preact'
import { useState } from 'preact/hooks'
import { loadingBar } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { failure } from '../../../lib/controls/failure.ts'
import { getAll, getOne } from '../../../lib/server/api.ts'
import { useRead } from '../../../lib/server/read.ts'
import { t } from '../texts.ts'
import { ChangeForm, type ChangeOptions, type Read, type Stored } from './change-form.ts'

const base = '/api/config/v1'
const paths = {
  dispenser: 'dispensers',
  encoder: 'access-controllers',
  'payment-terminal': 'payment-terminals',
} as const

type DeviceOptions = Omit<ChangeOptions, 'at'> & { id: string }

/** Folded: the form that edits a device, and the button that removes it. It reads the device when it is opened. */
export function ChangeDevice(options: DeviceOptions): View {
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

function StoredDevice(options: DeviceOptions): View {
  const { id, kind } = options
  const at = `${base}/${paths[kind]}/${id}`
  const { data, problem, readAgain } = useRead(
    `change ${id}`,
    async (signal): Promise<Read> => {
      const named = async (path: string) =>
        (await getAll<{ name: string; kind?: string }>(`${base}/${path}?page[size]=100`, 500, signal)).data
      const [one, providers, dispensers, controllers] = await Promise.all([
        getOne<Stored>(at, { signal }),
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
  return h(ChangeForm, { key: data.etag ?? '', ...options, ...data, at })
}
