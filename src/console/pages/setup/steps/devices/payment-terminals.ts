import { h } from 'preact'
import type { Resource } from '../../../lib/api.ts'
import { Choice, Field } from '../../../lib/controls.ts'
import { el, type View } from '../../../lib/el.ts'
import { added, useSaving } from '../../apply.ts'
import { useDraft } from '../../draft.ts'
import type { House } from '../../house.ts'
import { stepForm } from '../step-form.ts'
import { t } from '../texts.ts'
import type { Driver } from './connected.ts'
import { numbered } from './numbered.ts'

interface TerminalsOptions {
  house: House
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

/** The payment terminals at which kiosks take the balance of a stay, and the form that adds one. */
export function PaymentTerminals({ house, drivers, saved }: TerminalsOptions): View {
  const text = t.value.terminals
  const terminals = house.document.paymentTerminals ?? []
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
          ),
        ),
      ),
    el.details({ class: 'new' }, el.summary(null, text.add), h(NewTerminal, { house, drivers, saved })),
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
  const taken = paymentTerminals.map((each) => each.name)
  const name = typed.name ?? numbered(t.value.terminals.usualName, taken)
  const save = () =>
    saving.run(async () => {
      const { driver, path, encoder } = typed
      const item = { name, driver, path, ...(encoder !== '' && { encoder }) }
      await added('paymentTerminals', item)
      forget()
    }, saved)
  return stepForm(
    { saving, save, fields: ['name', 'path'], label: t.value.terminals.use },
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
    h(Field, {
      label: t.value.name,
      value: name,
      onInput: (value: string) => set({ name: value }),
      error: saving.refusal('name'),
      isRequired: true,
    }),
    h(Choice, {
      label: t.value.terminals.beside,
      value: typed.encoder,
      choices: [
        ['', t.value.terminals.anyKiosk] as const,
        ...kiosks.map((each) => [each.name, each.name] as const),
      ],
      onChange: (encoder: string) => set({ encoder }),
    }),
  )
}
