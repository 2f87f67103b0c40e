package reflectortest

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// initialPromises are those of the initial state and of the end.
var initialPromises = []promise{
	{"the initial state is one Replace", func(t *testing.T, s *scene) {
		s.begin()
		s.equal(t, []string{"stream "}, []string{"Replace a b at 3"})
	}},
	{"changes follow the initial state in their order", func(t *testing.T, s *scene) {
		s.begin()
		s.Put("c", "1")
		s.Put("a", "1")
		s.Delete("b")
		s.Put("b", "2")
		synctest.Wait()
		s.equal(t, []string{"stream "}, []string{"Replace a b at 3", "Add c", "Update a", "Delete b", "Add b"})
	}},
	{"a streaming list that is refused becomes a list and a watch", func(t *testing.T, s *scene) {
		s.Fail(Unsupported())
		s.begin()
		s.Put("c", "1")
		synctest.Wait()
		s.equal(t, []string{"stream ", "list 0", "watch 3"}, []string{"Replace a b at 3", "Add c"})
	}},
	{"a list is all of its pages", func(t *testing.T, s *scene) {
		s.PageLimit = 1
		s.Fail(Unsupported())
		s.begin()
		s.equal(t, []string{"stream ", "list 0", "list ", "watch 3"}, []string{"Replace a b at 3"})
	}},
	{"a pause is not the end of the initial state", func(t *testing.T, s *scene) {
		s.Hold()
		s.begin()
		later(time.Minute)
		require.Empty(t, s.store.Calls())
		s.Send(InitialEnd(3))
		synctest.Wait()
		require.Equal(t, []string{"Replace a at 3"}, s.store.Calls())
	}},
	{"an initial state that breaks off is not kept", func(t *testing.T, s *scene) {
		s.Hold()
		s.begin()
		s.End()
		later(time.Minute)
		s.equal(t, []string{"stream ", "stream "}, []string{"Replace a b at 3"})
	}},
	{"an initial state that comes while the server is not ready is asked for again", func(t *testing.T, s *scene) {
		s.Fail(Busy(0), Busy(0))
		s.begin()
		later(time.Minute)
		s.equal(t, []string{"stream ", "stream ", "stream "}, []string{"Replace a b at 3"})
	}},
	{"a failing server is asked less and less", func(t *testing.T, s *scene) {
		for range 10_000 {
			s.Fail(errors.New("down"))
		}
		s.begin()
		later(10 * time.Minute)
		require.Less(t, len(s.Requests()), 100, "requests in ten minutes")
		require.Greater(t, len(s.Requests()), 10, "requests in ten minutes")
		require.Empty(t, s.store.Calls())
	}},
	{"objects of another type stay out", func(t *testing.T, s *scene) {
		s.begin()
		s.Send(watch.Event{Type: watch.Added, Object: &corev1.Secret{}})
		s.Put("c", "")
		synctest.Wait()
		s.equal(t, []string{"stream "}, []string{"Replace a b at 3", "Add c"})
	}},
	{"it asks for no watch where its context ends with the list", func(t *testing.T, s *scene) {
		s.Fail(Unsupported())
		s.store.Refuse = func(string) error {
			s.stop()
			return nil
		}
		s.begin()
		<-s.ended
		later(time.Hour)
		require.Equal(t, []string{"Replace a b at 3"}, s.store.Calls())
		require.Equal(t, []string{"stream ", "list 0"}, s.Sent())
	}},
	{"it ends with its context, and stops its watch", func(t *testing.T, s *scene) {
		s.begin()
		s.stop()
		synctest.Wait()
		select {
		case <-s.ended:
		default:
			t.Fatal("it still runs")
		}
		open, stopped := s.Watches()
		require.Zero(t, open, "watches that stay open")
		require.Positive(t, stopped)
		require.Len(t, s.Requests(), 1, "requests after the end")
	}},
}
