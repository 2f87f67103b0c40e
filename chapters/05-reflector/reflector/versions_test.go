package reflector_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
)

// requireVersions compares what each kind of request would ask for.
func requireVersions(t *testing.T, v reflector.Versions, list, stream, watch string) {
	t.Helper()
	require.Equal(t, []string{list, stream, watch}, []string{v.List(), v.Stream(), v.Watch()}, "list, stream, watch")
	require.Equal(t, watch, v.Last())
}

func TestANewReflectorAsksForWhatTheServerHasAtHand(t *testing.T) {
	requireVersions(t, reflector.NewVersions(), "0", "", "")
}

func TestAfterTheInitialStateEachRequestIsNotOlder(t *testing.T) {
	v := reflector.NewVersions()
	v.Synced("5")
	requireVersions(t, v, "5", "5", "5")
	require.True(t, v.Event(watch.Added, "6"), "a streaming list goes on past its initial state")
	requireVersions(t, v, "6", "6", "6")
}

func TestAVersionThatIsUnavailableIsNotListedAgain(t *testing.T) {
	v := reflector.NewVersions()
	v.Synced("5")
	v.Unavailable()
	requireVersions(t, v, "", "", "5")
	v.Opened()
	require.True(t, v.Event(watch.Modified, "6"))
	requireVersions(t, v, "", "", "6")
	v.Synced("7")
	requireVersions(t, v, "7", "7", "7")
}

func TestTheVersionsOfAWatchWithoutAVersionCountAfterItsFirstObjects(t *testing.T) {
	for _, from := range []string{"", "0"} {
		for _, past := range []watch.EventType{watch.Modified, watch.Deleted, watch.Bookmark} {
			v := reflector.NewVersions()
			v.Synced(from)
			v.Opened()
			require.False(t, v.Event(watch.Added, "9"))
			require.False(t, v.Event(watch.Added, "4"))
			require.False(t, v.Event("NEW", "5"))
			require.Equal(t, from, v.Last())
			require.True(t, v.Event(past, "10"), past)
			require.True(t, v.Event(watch.Added, "11"))
			require.Equal(t, "11", v.Last())
			v.Opened()
			require.True(t, v.Event(watch.Added, "12"), "the next watch begins at 11")
		}
	}
}

func TestAVersionIsATextThatIsNotCompared(t *testing.T) {
	v := reflector.NewVersions()
	v.Synced("100")
	v.Opened()
	require.True(t, v.Event(watch.Modified, "99"))
	require.Equal(t, "99", v.Watch())
}
