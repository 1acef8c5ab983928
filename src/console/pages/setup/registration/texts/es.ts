import type { RegistrationSetupTexts } from '../texts.ts'

export default {
  title: 'Registro de huéspedes',
  why: 'Donde la ley exige el registro de huéspedes, elija lo que indica cada huésped antes del check-in. Sin nada, no se registra a ningún huésped.',
  fields: 'Cada huésped indica',
  name: 'Nombre',
  address: 'Dirección',
  rules: 'Aceptación de las normas de la casa',
  days: 'Días que se guardan los registros después de la salida',
  daysHint: 'Después se borran. La ley de su país dice cuánto tiempo.',
  houseRules: (language) => `Normas de la casa, ${language}`,
  houseRulesHint:
    'Los huéspedes las leen y aceptan en su idioma, o si no en el primero que tenga texto. Después de un cambio se pregunta de nuevo a los huéspedes siguientes.',
} satisfies RegistrationSetupTexts
