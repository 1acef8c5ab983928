import type { RegistrationSetupTexts } from '../texts.ts'

export default {
  title: 'Registo de hóspedes',
  why: 'Onde a lei exige o registo dos hóspedes, escolha o que cada hóspede indica antes do check-in. Sem nada, nenhum hóspede é registado.',
  fields: 'Cada hóspede indica',
  name: 'Nome',
  address: 'Morada',
  rules: 'Aceitação das regras da casa',
  days: 'Dias em que os registos são guardados depois da partida',
  daysHint: 'Depois são apagados. A lei do seu país diz por quanto tempo.',
  houseRules: (language) => `Regras da casa, ${language}`,
  houseRulesHint:
    'Os hóspedes leem e aceitam-nas na sua língua, ou então na primeira que tenha texto. Depois de uma mudança, os hóspedes seguintes são perguntados de novo.',
} satisfies RegistrationSetupTexts
