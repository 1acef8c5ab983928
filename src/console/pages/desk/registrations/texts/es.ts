import type { RegistrationTexts } from '../texts.ts'

export const es: RegistrationTexts = {
  title: 'Registro de viajeros',
  registered: 'Registrado',
  notRegistered: 'No registrado',
  notSigned: 'Falta la firma',
  register: 'Registrar',
  correct: 'Corregir',
  registerTitle: 'Registro de un huésped',
  noGuest: 'La estancia aún no tiene un huésped con nombre. Añada uno primero.',
  lastName: 'Apellidos',
  firstName: 'Nombre',
  accepts: 'El huésped ha leído las normas de la casa y las acepta.',
  onPaper: 'El huésped ha firmado en papel, que la recepción guarda.',
  save: 'Guardar',
  waived: 'Sin registro',
  without: 'Entrada sin registro',
  why: 'Motivo',
  whyHint: 'Al menos tres letras. Se guarda con la estancia. Un motivo vacío lo elimina.',
  keepReason: 'Guardar el motivo',
  dayFile: 'Registros del día (CSV)',
}
