// Package proof proves the graders of the exercises: that the reference and every other right solution pass, again
// and again; that every wrong solution fails in the test that its header names, with the message that its header
// quotes; and that what belongs to an exercise is all there.
package proof
