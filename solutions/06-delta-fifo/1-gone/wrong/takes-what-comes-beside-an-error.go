// Misconception: what comes beside an error may be used.
// Caught by: TestConsumerThatCannotSay
// Message: the belief that what comes beside an error, or beside false, can be used.

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

func lastKnown(known cache.KeyListerGetter, key string) any {
	object, _, _ := known.GetByKey(key) // wrong: nobody's state
	return object
}
