import { h } from 'preact'
import { currentCountry } from '../../../../resource/values/country.ts'
import { Choice, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { countryNames } from '../../lib/language/country-names.ts'
import { applied, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { StepOptions } from '../house.ts'
import {
  registrationFieldset,
  registrationNames,
  registrationSettings,
  typedRegistration,
} from '../registration/registration-fields.ts'
import { deskPhoneField } from './desk-phone-field.ts'
import { kioskFields, kioskFieldset, kioskSettings, typedKiosk } from './kiosk-fields.ts'
import { PhoneMessages } from './phone-messages.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

const fields = [
  'name',
  'line1',
  'postalCode',
  'city',
  'country',
  'timeZone',
  'checkInTime',
  'checkOutTime',
  'deskPhone',
  ...kioskFields,
  ...registrationNames,
]

/** Name and address of the property, its time zone and its hours. */
export function HouseStep({ house, changed, next }: StepOptions): View {
  const [typed, set, forget] = useDraft('house', typedHouse(house))
  const saving = useSaving()
  const save = () =>
    saving.run(
      async () => {
        await applied(documentOf(typed, house))
        forget()
      },
      () => {
        changed()
        next()
      },
    )
  const text = (field: 'name' | 'line1' | 'postalCode' | 'city', label: string, isRequired = true) =>
    h(Field, {
      label,
      value: typed[field],
      onInput: (value: string) => set({ [field]: value }),
      error: saving.refusal(field),
      isRequired,
      isFirst: field === 'name',
    })
  const time = (field: 'checkInTime' | 'checkOutTime', label: string) =>
    h(Field, {
      label,
      value: typed[field],
      onInput: (value: string) => set({ [field]: value }),
      type: 'time',
      error: saving.refusal(field),
    })
  const form = stepForm(
    { saving, save, fields },
    el.p(null, t.value.house.why),
    text('name', t.value.house.name),
    el.div(
      { class: 'columns' },
      text('line1', t.value.house.line1),
      text('postalCode', t.value.house.postalCode, false),
      text('city', t.value.house.city),
      h(Choice, {
        label: t.value.house.country,
        value: typed.country,
        choices: [['', '–'] as const, ...countryNames()],
        onChange: (value: string) => set({ country: value }),
      }),
    ),
    house.isAssumed && notice('warning', t.value.house.assumed),
    el.div(
      { class: 'columns' },
      h(Choice, {
        label: t.value.house.timeZone,
        value: typed.timeZone,
        choices: zones(typed.timeZone),
        onChange: (timeZone: string) => set({ timeZone }),
      }),
      time('checkInTime', t.value.house.checkIn),
      time('checkOutTime', t.value.house.checkOut),
    ),
    deskPhoneField({
      value: typed.deskPhone,
      onInput: (value) => set({ deskPhone: value }),
      saving,
      isRequired: house.lacksDeskPhone,
    }),
    kioskFieldset({ typed, set, saving }),
    registrationFieldset({ typed, set, saving }),
  )
  return el.div({ class: 'stack' }, form, h(PhoneMessages, null))
}

/** What the step shows at first. */
function typedHouse(house: StepOptions['house']) {
  const { settings = {}, property } = house.document
  return {
    name: property?.name ?? '',
    line1: property?.address.line1 ?? '',
    postalCode: property?.address.postalCode ?? '',
    city: property?.address.city ?? '',
    country: currentCountry(countryOf(house) ?? '') ?? '',
    timeZone: house.isAssumed ? browserZone(house.timeZone) : house.timeZone,
    checkInTime: settings.checkInTime ?? '15:00',
    checkOutTime: settings.checkOutTime ?? '11:00',
    deskPhone: settings.deskPhone ?? '',
    ...typedKiosk(settings.kiosk ?? {}),
    ...typedRegistration(settings),
  }
}

/** Returns what is typed as a set-up document. */
function documentOf(typed: ReturnType<typeof typedHouse>, { document: { property } }: StepOptions['house']) {
  const { name, line1, postalCode, city, country, deskPhone, timeZone, checkInTime, checkOutTime } = typed
  const address = { ...property?.address, line1, city, country, ...(postalCode !== '' && { postalCode }) }
  const code = property?.code ?? codeOf(name)
  return {
    settings: {
      timeZone,
      checkInTime,
      checkOutTime,
      country,
      deskPhone: deskPhone.trim() || null,
      kiosk: kioskSettings(typed),
      ...registrationSettings(typed),
    },
    property: { name, address, ...(code !== '' && { code }) },
  }
}

/** `HOTELDOPORTO`, the short name of the property for other systems. */
function codeOf(name: string): string {
  return name
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 30)
}

/**
 * The box has an assumed time zone until a person sets it. The installer's computer is at the property, so its time
 * zone is suggested.
 */
function browserZone(known: string): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || known
}

/** The country of the settings; that of the browser where they have none yet. */
function countryOf({ isAssumed, document }: StepOptions['house']): string | undefined {
  const known = document.settings?.country
  const isUnknown = known === undefined || known === 'ZZ'
  return isAssumed && isUnknown ? new Intl.Locale(navigator.language).region : known
}

function zones(present: string): (readonly [string, string])[] {
  const all = Intl.supportedValuesOf('timeZone')
  return [...new Set([...all, 'UTC', present])].map((each) => [each, each.replaceAll('_', ' ')] as const)
}
