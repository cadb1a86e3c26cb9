'use strict'

exports.transition = function transition (_, entry) {
  entry.count++

  return { count: entry.count }
}
