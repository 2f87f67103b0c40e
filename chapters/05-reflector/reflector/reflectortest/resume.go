package reflectortest

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// resumePromises are those of what follows when a watch has ended.
var resumePromises = []promise{
	{"a watch that ends in good order is opened again where it was, at once", func(t *testing.T, s *scene) {
		s.begin()
		s.Put("c", "1")
		later(time.Minute)
		s.End()
		s.Put("d", "1")
		synctest.Wait()
		s.equal(t, []string{"stream ", "watch 4"}, []string{"Replace a b at 3", "Add c", "Add d"})
	}},
	{"a watch that ends at once is not opened again and again", func(t *testing.T, s *scene) {
		s.begin()
		s.End()
		synctest.Wait()
		require.Equal(t, []string{"stream "}, s.Sent())
		later(time.Minute)
		s.equal(t, []string{"stream ", "stream 3"}, []string{"Replace a b at 3", "Replace a b at 3"})
	}},
	{"a watch that ends at once after an event is opened again at once", func(t *testing.T, s *scene) {
		s.begin()
		s.Put("c", "1")
		synctest.Wait()
		s.End()
		synctest.Wait()
		s.equal(t, []string{"stream ", "watch 4"}, []string{"Replace a b at 3", "Add c"})
	}},
	{"what was missed arrives after a 410", func(t *testing.T, s *scene) {
		s.begin()
		later(time.Minute)
		s.EndAndForget("a", "c")
		later(2 * time.Minute)
		s.equal(t, []string{"stream ", "watch 3", "stream 3"}, []string{"Replace a b at 3", "Replace b c at 5"})
	}},
	{"a version that the server does not have is not asked for again", func(t *testing.T, s *scene) {
		s.begin()
		later(time.Minute)
		s.Fail(Expired())
		s.Break(Expired())
		later(time.Minute)
		s.equal(t, []string{"stream ", "stream 3", "stream "}, []string{"Replace a b at 3", "Replace a b at 3"})
	}},
	{"a watch that the server is too busy for is asked for again", func(t *testing.T, s *scene) {
		s.begin()
		later(time.Minute)
		s.Fail(Busy(0))
		s.End()
		s.Put("c", "1")
		later(time.Minute)
		s.equal(t, []string{"stream ", "watch 3", "watch 3"}, []string{"Replace a b at 3", "Add c"})
	}},
	{"an internal error costs a new start", func(t *testing.T, s *scene) {
		s.begin()
		later(time.Minute)
		s.Break(apierrors.NewInternalError(errInside))
		later(time.Minute)
		s.equal(t, []string{"stream ", "stream 3"}, []string{"Replace a b at 3", "Replace a b at 3"})
	}},
	{"a watch goes on from an event whose object the store has changed", func(t *testing.T, s *scene) {
		s.store.Change = func(object *corev1.ConfigMap) { object.ResourceVersion = "" }
		s.begin()
		s.Put("a", "1")
		later(time.Minute)
		s.End()
		s.Put("c", "1")
		s.Delete("b")
		later(time.Minute)
		s.End()
		s.Put("d", "1")
		synctest.Wait()
		s.equal(t, []string{"stream ", "watch 4", "watch 6"},
			[]string{"Replace a b at 3", "Update a", "Add c", "Delete b", "Add d"})
	}},
	{"a bookmark is a place to resume from", func(t *testing.T, s *scene) {
		s.begin()
		s.Bookmark()
		later(time.Minute)
		s.End()
		s.Put("c", "1")
		synctest.Wait()
		s.equal(t, []string{"stream ", "watch 4"}, []string{"Replace a b at 3", "Bookmark 4", "Add c"})
	}},
	{"a store that refuses an event is given the next", func(t *testing.T, s *scene) {
		s.store.Refuse = func(call string) error {
			if call == "Add c" {
				return errInside
			}
			return nil
		}
		s.begin()
		s.Put("c", "1")
		s.Put("d", "1")
		synctest.Wait()
		require.Equal(t, []string{"Replace a b at 3", "Add c", "Add d"}, s.store.Calls())
		require.Equal(t, []string{"stream "}, s.Sent())
	}},
	{"a store that refuses the initial state is given it again", func(t *testing.T, s *scene) {
		refused := 0
		s.store.Refuse = func(call string) error {
			if refused < 3 {
				refused++
				return errInside
			}
			return nil
		}
		s.begin()
		later(time.Minute)
		const replace = "Replace a b at 3"
		require.Equal(t, []string{replace, replace, replace, replace}, s.store.Calls())
		require.Equal(t, s.Server.Values(), s.store.Values())
	}},
}
