import { h } from 'preact'
import { Choice, Field } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { getList, type Resource } from '../../../lib/server/api.ts'
import { useRead } from '../../../lib/server/read.ts'
import { added, useSaving } from '../../apply.ts'
import { useDraft } from '../../draft.ts'
import type { House } from '../../house.ts'
import { nameField, stepForm } from '../step-form.ts'
import { t } from '../texts.ts'
import { ChangeDevice } from './change-device.ts'
import type { Driver } from './connected.ts'
import { numbered } from './numbered.ts'
import { useTriedAddress } from './tried.ts'

interface TerminalsOptions {
  house: House
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

/** The payment terminals at which kiosks take the balance of a stay, and the form that adds one. */
export function PaymentTerminals({ house, drivers, saved }: TerminalsOptions): View {
  const text = t.value.terminals
  const terminals = house.document.paymentTerminals ?? []
  const { data, readAgain } = useRead('payment-terminals', async (signal) => {
    const path = '/api/config/v1/payment-terminals?page[size]=100'
    return (await getList<{ name: string }>(path, { signal })).data
  })
  const changed = () => {
    readAgain()
    saved()
  }
  const idOf = (name: string) => data?.find(({ attributes }) => attributes.name === name)?.id
  return el.section(
    { class: 'stack', 'aria-label': text.title },
    el.h2(null, text.title),
    el.p(null, text.why),
    terminals.length > 0 &&
      el.ul(
        { class: 'rows' },
        terminals.map(({ name, driver, path, encoder }) =>
          el.li(
            { key: name, class: 'row' },
            el.strong(null, name),
            [driver, path, encoder ?? text.anyKiosk].join(', '),
            idOf(name) &&
              h(ChangeDevice, {
                key: idOf(name)!,
                id: idOf(name)!,
                name,
                kind: 'payment-terminal',
                drivers,
                saved: changed,
              }),
          ),
        ),
      ),
    el.details(
      { class: 'new' },
      el.summary(null, text.add),
      h(NewTerminal, { house, drivers, saved: changed }),
    ),
  )
}

function NewTerminal({ house, drivers, saved }: TerminalsOptions): View {
  const { paymentTerminals = [], encoders = [] } = house.document
  const kiosks = encoders.filter(({ dispenser }) => dispenser !== undefined)
  const [typed, set, forget] = useDraft('terminal', {
    driver: drivers[0]?.id ?? '',
    path: '',
    name: null as string | null,
    encoder: '',
  })
  const saving = useSaving()
  const tried = useTriedAddress()
  const taken = paymentTerminals.map((each) => each.name)
  const name = typed.name ?? numbered(t.value.terminals.usualName, taken)
  const address = { driver: typed.driver, path: typed.path.trim() }
  const save = () =>
    saving.run(async () => {
      if (!(await tried.isUsable(address))) return
      const { encoder } = typed
      await added('paymentTerminals', { name, ...address, ...(encoder !== '' && { encoder }) })
      forget()
      saved()
    })
  return stepForm(
    {
      saving,
      save,
      fields: ['name', 'path'],
      label: tried.label(t.value.terminals.use, address),
    },
    h(Choice, {
      label: t.value.terminals.protocol,
      value: typed.driver,
      choices: drivers.map(({ id, attributes }) => [id, `${attributes.vendor} ${id}`] as const),
      onChange: (driver: string) => set({ driver }),
    }),
    h(Field, {
      label: t.value.terminals.address,
      value: typed.path,
      onInput: (path: string) => set({ path }),
      hint: t.value.terminals.addressHint,
      error: saving.refusal('path'),
      isRequired: true,
    }),
    nameField(name, set, saving),
    h(Choice, {
      label: t.value.terminals.beside,
      value: typed.encoder,
      choices: [
        ['', t.value.terminals.anyKiosk] as const,
        ...kiosks.map((each) => [each.name, each.name] as const),
      ],
      onChange: (encoder: string) => set({ encoder }),
    }),
    tried.notice(address),
  )
}
