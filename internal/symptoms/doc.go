// Package symptoms finds the rows of docs/symptoms.md whose messages stand in a log.
//
// The page is the one source. It is read at run time, so that a row that somebody adds is found by the next call.
// Read table.go (a page becomes rows), notation.go (what in a message is another each time), message.go (what is quoted
// becomes what is looked for), search.go (a log of any size) with index.go, lines.go (a message over several lines) and
// record.go (errors that no row explains), words.go (what somebody types instead of a log) and print.go, in this order.
package symptoms
