import type { RegistrationTexts } from '../texts.ts'

export const pt: RegistrationTexts = {
  title: 'Registo de hóspedes',
  registered: 'Registado',
  notRegistered: 'Não registado',
  notSigned: 'Falta a assinatura',
  register: 'Registar',
  correct: 'Corrigir',
  registerTitle: 'Registo de um hóspede',
  noGuest: 'A estadia ainda não tem um hóspede com nome. Adicione primeiro um.',
  lastName: 'Apelido',
  firstName: 'Nome próprio',
  accepts: 'O hóspede leu as regras da casa e aceita-as.',
  onPaper: 'O hóspede assinou em papel, que a receção guarda.',
  save: 'Guardar',
  waived: 'Sem registo',
  without: 'Entrada sem registo',
  why: 'Motivo',
  whyHint: 'Pelo menos três letras. É guardado com a estadia. Um motivo vazio remove-o.',
  keepReason: 'Guardar o motivo',
  dayFile: 'Registos do dia (CSV)',
}
