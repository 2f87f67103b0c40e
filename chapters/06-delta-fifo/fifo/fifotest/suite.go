// Package fifotest is what any queue between a reflector and its consumer has to pass: chapter 06's, a reader's, the
// one inside a later chapter's informer.
package fifotest
