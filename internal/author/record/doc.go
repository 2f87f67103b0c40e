// Package record keeps the output that a page shows true: it runs the command that the page names, writes what the
// command printed into the page, and compares a page with a fresh run.
//
// A recorded block is a fenced text block below a directive:
//
//	<!-- recorded: go run ./chapters/01-raw-watch -->
//	<!-- recorded: go run ./chapters/01-raw-watch from "── 2/7" to "none of them" -->
//
// The second form keeps whole lines, from the first that contains one text to the first after it that contains the
// other. A text file below docs/images has the directive as its first line and the output as the rest: pictures of
// a terminal are drawn from it.
//
// # What is compared
//
// Two runs are never the same to the letter. [Normalise] removes what may differ, and no more:
//
//   - every number, with its unit if it has one: times, durations, resourceVersions, ports, sizes, counts;
//   - every name of a run's namespace, UUIDs, also cut after eight digits, and bytes written in hexadecimal;
//   - lines about the progress of building and starting the control plane, which are not recorded at all;
//   - white space and line breaks, with the sign at the beginning of a line (>, <, =, !): a longer number wraps a line
//     elsewhere.
//
// What remains are the words and their order. That a count is right is a test's business.
package record
