// Package numbers measures the mechanisms of the chapters beside upstream's, and keeps docs/numbers.md.
//
// A benchmark that belongs in the document ends in /impl=ours or /impl=upstream. Run runs the benchmarks of a package,
// Compare has benchstat make a table of them, Document writes the page, and Parse reads it again, so that a lesson can
// cite a figure of it.
package numbers
