import { fullFormats } from 'ajv-formats/dist/formats.js'
import { networkFormats } from './network-formats.ts'

const { date, 'date-time': dateTime, uuid, email } = fullFormats

/** The formats of texts that schemas may name. Validators that were compiled beforehand import them by this name. */
export const formats = { date, 'date-time': dateTime, uuid, email, ...networkFormats }
