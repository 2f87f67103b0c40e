package storetest

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// What the objects of a scene are made of. The world is small, so that random writes meet.
var (
	keys    = []string{"a/x", "a/y", "b/x", "b/y", "z"}
	tagSets = [][]string{nil, {"red"}, {"blue"}, {"red", "blue"}, {"blue", "red", "blue"}}
)

// The names of the indexes. A store of a scene begins with the first two; the third may be added.
const (
	byNamespace = "namespace" // one value
	byTags      = "tags"      // a set, with none or with duplicates
	byCount     = "count"     // of tags, duplicates included
	unknown     = "unknown"   // no store has it
)

// A scene is one kind of object, and how a store finds its way among them.
type scene struct {
	keyFunc cache.KeyFunc
	strings bool // the objects are strings, and have no metadata
	made    int  // objects, so that each has its number

	without []string // writes that are not made
}

// objects have metadata. Their key function is the one that informers use.
func objects() *scene { return &scene{keyFunc: cache.DeletionHandlingMetaNamespaceKeyFunc} }

// plainStrings have a key and tags, and no resource version that could move the store's.
func plainStrings() *scene { return &scene{strings: true, keyFunc: indexKey} }

// store makes an empty store.
func (s *scene) store(newStore New) cache.Indexer {
	return newStore(s.keyFunc, cache.Indexers{byNamespace: indexFuncs[byNamespace], byTags: indexFuncs[byTags]})
}

// subject makes the store that is tried. From then on there are no writes that it can't make.
func (s *scene) subject(newStore New) cache.Indexer {
	store := s.store(newStore)
	if _, ok := store.(cache.TransactionStore); !ok {
		s.without = append(s.without, "Transaction")
	}
	return store
}

// A thing is an object with metadata.
type thing struct {
	metav1.ObjectMeta
	key, label string
	tags       []string
	self       *thing // tells the object from a copy
}

// make makes an object, another one each time.
func (s *scene) make(key string, tags []string, version string) any {
	s.made++
	if s.strings {
		return fmt.Sprintf("%s#%d %s", key, s.made, strings.Join(tags, " "))
	}
	o := &thing{key: key, label: fmt.Sprintf("%s#%d", key, s.made), tags: slices.Clone(tags)}
	o.Namespace, o.Name, _ = cache.SplitMetaNamespaceKey(key)
	o.ResourceVersion = version
	o.self = o
	return o
}

// describe names an object in messages. Two that are not the same have different names.
func describe(obj any) string {
	switch o := obj.(type) {
	case nil:
		return "nothing"
	case *thing:
		if o.self != o {
			return "a copy of " + o.label
		}
		return o.label
	case string:
		return strconv.Quote(o)
	case cache.DeletedFinalStateUnknown:
		return "tombstone of " + o.Key
	case cache.Transaction:
		return string(o.Type) + " " + describe(o.Object)
	}
	return fmt.Sprintf("%T(%v)", obj, obj)
}

func labels[T any](elements []T) []string {
	var texts []string
	for _, e := range elements {
		texts = append(texts, describe(e))
	}
	return texts
}

// parts returns the key and the tags of any scene's object. The tags are the object's own slice, which no store may
// write to.
func parts(obj any) (key string, tags []string, err error) {
	switch o := obj.(type) {
	case *thing:
		return o.key, o.tags, nil
	case string:
		if key, rest, ok := strings.Cut(o, "#"); ok {
			return key, strings.Fields(rest)[1:], nil
		}
	}
	return "", nil, fmt.Errorf("%s is no object of this scene", describe(obj))
}

func indexKey(obj any) (string, error) {
	key, _, err := parts(obj)
	return key, err
}

// indexFuncs are all the functions there are, by the name of their index.
var indexFuncs = cache.Indexers{
	byNamespace: indexFunc(func(key string, _ []string) []string {
		namespace, _, _ := cache.SplitMetaNamespaceKey(key)
		return []string{namespace}
	}),
	byTags:  indexFunc(func(_ string, tags []string) []string { return tags }),
	byCount: indexFunc(func(_ string, tags []string) []string { return []string{strconv.Itoa(len(tags))} }),
}

// indexFunc makes an index function. It lets other goroutines run first: in a store that calls it in the middle of a
// write, a reader who is not kept out comes in there.
func indexFunc(values func(key string, tags []string) []string) cache.IndexFunc {
	return func(obj any) ([]string, error) {
		runtime.Gosched()
		key, tags, err := parts(obj)
		if err != nil {
			return nil, err
		}
		return values(key, tags), nil
	}
}
