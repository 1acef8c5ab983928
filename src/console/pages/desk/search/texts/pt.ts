import type { SearchTexts } from './en.ts'

export const pt: SearchTexts = {
  search: 'Procurar nome, número, quarto',
  results: 'Resultados',
  hint: 'Basta uma parte do nome, sem acentos. Também se encontram os quatro algarismos do quiosque.',
  none: 'Não se encontra hóspede, número ou quarto.',
  partly: 'Uma parte da procura não respondeu.',
  walkIn: (text) => `Sem reserva: “${text}”`,
  readCard: (place) => `Ler o cartão em ${place}`,
  reading: 'O cartão está a ser lido …',
  blank: 'O cartão está em branco.',
  unknownCard: 'O cartão não é de nenhuma chave desta casa.',
  noStay: (room) => `O cartão não é de nenhuma estadia. É para ${room}.`,
  noRoom: 'sem quarto',
  close: 'Fechar a procura',
}
