import type { FieldTexts } from '../texts.ts'

export const es: FieldTexts = {
  birthDate: 'Fecha de nacimiento',
  nationality: 'Nacionalidad',
  line1: 'Calle y número, o lugar',
  postalCode: 'Código postal',
  city: 'Localidad',
  country: 'País',
  documentType: 'Documento de identidad',
  documentTypes: {
    Passport: 'Pasaporte',
    IdentityCard: 'Documento nacional de identidad',
    ResidencePermit: 'Permiso de residencia',
    DrivingLicence: 'Permiso de conducir',
    Other: 'Otro',
  },
  documentNumber: 'Número del documento',
  documentCountry: 'Expedido por (país)',
  houseRules: 'Normas de la casa',
  signature: 'Firma',
  signHere: 'Firma del huésped: con el dedo, un lápiz o el ratón',
  signAgain: 'Firmar de nuevo',
}
