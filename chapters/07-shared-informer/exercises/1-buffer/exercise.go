// Package buffer is an unbounded buffer between two goroutines: what stands between a shared informer and one of its
// handlers.
package buffer

// Pump takes what is sent to in, and gives it in slices to who receives from out. It runs in a goroutine of its own,
// between an informer, which must not wait, and a handler, which takes its time.
//
//   - Who sends to in never waits for who receives from out, and not for somebody to make room either: Pump takes
//     whatever comes, at any time. What nobody has received yet gathers.
//   - A receive from out gets all that has gathered, in one slice. If nothing has gathered, it waits: no slice is
//     empty. It then gets what is sent next, without waiting for more. (What is sent at the moment of a receive may
//     come with that one or with the next.)
//   - Elements come out in the order in which they were sent, each once. Pump does not look at them: T may be any type,
//     and an element any value of it, also nil or zero.
//   - A slice that was received is its receiver's, to keep, to change and to append to. Pump has nothing to do with it
//     any more: neither changes what the other has.
//   - When in is closed, Pump closes out and returns. It does so at once, also while something has gathered and
//     nobody receives: that is dropped. Until in is closed it does neither.
//   - While there is nothing to take and nobody to give to, Pump waits: it does not look again and again.
//   - When Pump has returned, it leaves no goroutine behind.
//   - Any number of Pumps may run at once. They share nothing.
//
// One goroutine sends to in and then closes it, and one receives from out. out has no buffer. in may have one: what
// lies there counts as sent when Pump takes it, and in as closed when nothing lies there any more.
func Pump[T any](in <-chan T, out chan<- []T) {
	// TODO: take, gather and give, until in is closed
	close(out)
}
