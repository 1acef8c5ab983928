import type { FieldTexts } from '../texts.ts'

export const pt: FieldTexts = {
  birthDate: 'Data de nascimento',
  nationality: 'Nacionalidade',
  line1: 'Rua e número, ou lugar',
  postalCode: 'Código postal',
  city: 'Localidade',
  country: 'País',
  documentType: 'Documento de identificação',
  documentTypes: {
    Passport: 'Passaporte',
    IdentityCard: 'Cartão de identidade',
    ResidencePermit: 'Autorização de residência',
    DrivingLicence: 'Carta de condução',
    Other: 'Outro',
  },
  documentNumber: 'Número do documento',
  documentCountry: 'Emitido por (país)',
  houseRules: 'Regras da casa',
  signature: 'Assinatura',
  signHere: 'Assinatura do hóspede: com o dedo, uma caneta ou o rato',
  signAgain: 'Assinar de novo',
}
