import { plural } from '../../../lib/language/format.ts'
import type { KioskRegistrationTexts } from '../texts.ts'

export const es: KioskRegistrationTexts = {
  whose: (name, at, of) => `Registro de ${name}, pregunta ${at} de ${of}.`,
  dayInDigits: 'Escriba ocho cifras: día, mes y año.',
  noSuchDay: 'Ese día no existe. Compruebe las cifras, por favor.',
  chooseCountry: 'Escriba las primeras letras y toque el país.',
  moreCountries: (count) =>
    plural(count, { one: '1 más. Escriba más letras.', other: `${count} más. Escriba más letras.` }),
  noCountry: 'Ningún país empieza así. Borre algunas letras, por favor.',
  readRules: 'Lea las normas de la casa y acéptelas, por favor.',
  up: 'Más arriba',
  down: 'Más abajo',
  accept: 'Acepto las normas de la casa',
  sign: 'Firme en el campo con un dedo, por favor.',
  notSigned: 'Esto es demasiado corto para una firma. Firme otra vez, por favor.',
  cannotSign: 'No puedo firmar aquí',
  rulesChanged: 'Las normas de la casa acaban de cambiar. Léalas otra vez, por favor.',
}
