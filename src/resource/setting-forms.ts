import { hintFor } from './nearest.ts'

/** How one setting must be: the check of its value and the expected form in words, or the forms of its members. */
export type SettingForm = readonly [fits: (value: unknown) => boolean, expected: string] | SettingForms

/** The forms of settings, by name. */
export interface SettingForms {
  readonly [name: string]: SettingForm
}

/** Whether a value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a sentence for each wrong setting of an object, in the order of the object; none where all are right. A member of a
 * setting is named with a dot: `backup.daily`. An unknown name is answered with the one that was probably meant.
 */
export function wrongSettings(settings: Record<string, unknown>, forms: SettingForms, within = ''): string[] {
  const known = Object.keys(forms)
  return Object.entries(settings).flatMap(([name, value]) => {
    const path = `${within}${name}`
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined
    if (form === undefined)
      return `${path} is not a setting; there are ${known.join(', ')}.${hintFor(name, known)}`
    if (isForms(form))
      return isObject(value)
        ? wrongSettings(value, form, `${path}.`)
        : `${path} cannot be ${JSON.stringify(value)}; expected an object with ${Object.keys(form).join(', ')}.`
    const [fits, expected] = form
    return fits(value) ? [] : `${path} cannot be ${JSON.stringify(value)}; expected ${expected}.`
  })
}

function isForms(form: SettingForm): form is SettingForms {
  return !Array.isArray(form)
}
