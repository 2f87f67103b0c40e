// Package mutation finds objects that were changed after a cache handed them out, and lists who had received them.
//
// A store hands out pointers. A caller that writes through one changes the object for every other caller, and no
// index, no handler and no resourceVersion tells of it. A [Detector] keeps a deep copy of each object, compares the
// two now and then, and remembers which call sites received the object from the guarded cache. Usually the one that
// wrote is among them. Whoever put the object in has the pointer as well, and so has an informer's handler: these are
// not seen.
//
// Upstream's counterpart is cache.NewCacheMutationDetector, in tools/cache/mutation_detector.go. It keeps copies, too,
// but compares them by reflect.DeepEqual, prints both objects, and panics; of call sites it knows nothing.
//
// Reading order: what is watched (detector.go), what a comparison finds (check.go), how a change of a field is named
// (fields.go), who received an object (sites.go), and the cache that is watched while it is used (guard.go).
package mutation
