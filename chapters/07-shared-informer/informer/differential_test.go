package informer_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest/scripted"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

func theirInformer(lw cache.ListerWatcher, resync time.Duration, indexers cache.Indexers) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(lw, &corev1.ConfigMap{}, resync, indexers)
}

func ourInformer(lw cache.ListerWatcher, resync time.Duration, indexers cache.Indexers) cache.SharedIndexInformer {
	return informer.NewSharedIndexInformer(lw, &corev1.ConfigMap{}, resync, indexers)
}

// scenes is how many are played.
const scenes = 80

// In the same scene ours and client-go's informer send the same requests, hear of the same errors, notify each handler
// of the same in the same order, say at the same moments that they have synced, and hold the same in the end.
//
// What is different on purpose is in no scene: TestAnErrorOfProcessIsLogged, TestAChangeWithoutVersions, TestWaiting.
func TestDifferential(t *testing.T) {
	met, happened, played := map[string]int{}, map[string]int{}, 0
	for seed := range uint64(scenes) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			s := drawn(seed)
			theirs, faults := perform(t, s, theirInformer)
			text, _ := perform(t, s, ourInformer)
			played++
			require.Empty(t, scripted.Difference(theirs, text), "%s", s.Script)
			for meeting, times := range faults {
				met[meeting] += times
			}
			for name, pattern := range happenings {
				happened[name] += len(pattern.FindAllString(theirs, -1))
			}
		})
	}
	if played < scenes {
		return // -run has chosen some, or the test has failed
	}
	for _, meeting := range scripted.Meetings() {
		require.NotZero(t, met[meeting], "no script has %s; there are: %v", meeting, met)
	}
	for name := range happenings {
		require.Greater(t, happened[name], 10, "%s; what happened how often: %v", name, happened)
	}
}

// What is compared depends on the seed alone: client-go's informer leaves the same behind twice.
func TestASceneIsPlayedTheSameTwice(t *testing.T) {
	for seed := uint64(scenes); seed < scenes+5; seed++ {
		s := drawn(seed)
		once, _ := perform(t, s, theirInformer)
		twice, _ := perform(t, s, theirInformer)
		require.Empty(t, scripted.Difference(once, twice), "seed %d: %s", seed, s.Script)
	}
}

// It is the same with parts of client-go's in the place of ours.
func TestDifferentialOfParts(t *testing.T) {
	for seed := uint64(scenes); seed < scenes+3; seed++ {
		s := drawn(seed)
		theirs, _ := perform(t, s, theirInformer)
		for _, names := range []string{"reflector", "queue", "store", "reflector queue", "reflector store",
			"queue store", "reflector queue store"} {
			t.Run(fmt.Sprintf("seed=%d/%s", seed, names), func(t *testing.T) {
				var parts informer.Parts
				for _, name := range strings.Fields(names) {
					upstreams[name](&parts)
				}
				text, _ := perform(t, s, func(lw cache.ListerWatcher, resync time.Duration,
					indexers cache.Indexers) cache.SharedIndexInformer {
					return informer.New(lw, &corev1.ConfigMap{},
						informer.Options{ResyncPeriod: resync, Indexers: indexers, Parts: parts})
				})
				require.Empty(t, scripted.Difference(theirs, text), "%s", s.Script)
			})
		}
	}
}

// happenings are what the scenes have to have, as it stands in a text.
var happenings = map[string]*regexp.Regexp{
	"two deletions become known by one list": regexp.MustCompile(
		`\n  (\d+ LIST|\d+ STREAM): tombstone.*\n  \d+ (LIST|STREAM): tombstone`),
	"another object under the same key, by a list": regexp.MustCompile(
		`(LIST|STREAM): update cm-\d+@\d+ uid-\d+ n="\d*" -> cm-\d+@\d+ uid-\d+`),
	"another object under the same key, by a watch": regexp.MustCompile(
		`watch: delete (cm-\d+)@.*\n  \d+ watch: add cm-\d+@`),
	"a resync of several objects":                regexp.MustCompile(`resync: .*\n  \d+ resync: `),
	"a re-list that changes nothing":             regexp.MustCompile(`(LIST|STREAM): update (cm-\d+@\d+).* -> cm-\d+@\d+`),
	"a handler joins while objects are there":    regexp.MustCompile(`join: add .*initial\n  \d+ join: add`),
	"a handler joins before the informer synced": regexp.MustCompile(`informer synced false.*\n  late.*: leaves false`),
	"a handler joins while a request fails": regexp.MustCompile(
		`moment \d+ [a-z].*: version \d.*\n  late.*: leaves false`),
	"a handler leaves while a request fails": regexp.MustCompile(`moment \d+ [a-z].*: version \d.*\n  leaving: leaves true`),
	"the first list has objects":             regexp.MustCompile(`(LIST|STREAM): add .*, initial\n.*: add .*, initial`),
	"a transform":                            regexp.MustCompile(`n=""`),
}
