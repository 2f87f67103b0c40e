package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	upstream "k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// hotLoop is -fault add-in-place-of-rate-limited: what fails is tried again at once.
func hotLoop(ctx context.Context, l *lab.Lab) error {
	aloud, err := scenario.Aloud(l)
	if err != nil {
		return err
	}
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	if _, err := begin(ctx, l); err != nil {
		return err
	}
	refused := create(ctx, aloud, l.Namespace)
	if refused == nil {
		return errors.New("the server has created it again")
	}
	l.Wire("%v", refused)
	rows := [][]string{{"what the worker calls", "requests in a second"}}
	for _, way := range []struct {
		name  string
		again func(scenario.Queue, scenario.Key)
	}{
		{"Add", scenario.Queue.Add},
		{"AddRateLimited", scenario.Queue.AddRateLimited},
	} {
		queue, requests := newQueue(), 0
		var worker sync.WaitGroup
		worker.Go(func() {
			for {
				menu, shutdown := queue.Get()
				if shutdown {
					return
				}
				requests++
				if create(ctx, quiet, l.Namespace) != nil && !queue.ShuttingDown() {
					way.again(queue, menu)
				}
				queue.Done(menu)
			}
		})
		queue.Add(key(l, "menu"))
		end := time.Now().Add(time.Second)
		err := scenario.Until(ctx, func() bool { return time.Now().After(end) })
		queue.ShutDown()
		worker.Wait()
		if err != nil {
			return err
		}
		rows = append(rows, []string{way.name, fmt.Sprint(requests)})
	}
	l.Table(rows...)
	l.Conclude("The first worker asks as fast as the server answers, for as long as menu is there. The second asks " +
		"after 5 ms, then after 10, after 20, and so on.")
	return nil
}

// create tries to create menu, which is there.
func create(ctx context.Context, over kubernetes.Interface, namespace string) error {
	menu := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "menu"}}
	_, err := over.CoreV1().ConfigMaps(namespace).Create(ctx, menu, metav1.CreateOptions{})
	return err
}

// forgetForgotten is -fault forget-forgotten: failures add up, though each is followed by a success.
func forgetForgotten(ctx context.Context, l *lab.Lab) error {
	writer, err := begin(ctx, l)
	if err != nil {
		return err
	}
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	world := scenario.NewWorld(quiet, l.Namespace)
	limiters := []*notedLimiter{newNotedLimiter(), newNotedLimiter()}
	crews := []*scenario.Crew{alternating(world, newLimited(limiters[0])),
		alternating(world, neverForgets{newLimited(limiters[1])})}
	for _, crew := range crews {
		defer crew.Wait()
		defer crew.Queue.ShutDown()
		if err := world.Tell(crew.Enqueue); err != nil {
			return err
		}
		crew.Start(1)
	}
	if err := world.Run(ctx); err != nil {
		return err
	}
	defer world.Stop()
	for n := 1; n <= failures; n++ {
		write := writer.SetQuietly
		if n == 1 {
			write = writer.Set
		}
		if err := write(ctx, "menu", "write", n); err != nil {
			return err
		}
		for _, crew := range crews {
			succeeded := func() bool {
				run := last(crew, "menu")
				return run.Write == fmt.Sprint(n) && !run.Ended.IsZero() && run.Err == nil
			}
			if err := scenario.Until(ctx, succeeded); err != nil {
				return err
			}
		}
	}
	rows := [][]string{{"failure", "with Forget", "without", ""}}
	with, without := limiters[0].said, limiters[1].said
	for i := range failures {
		rows = append(rows, []string{fmt.Sprint(i + 1), ms(with[i]), ms(without[i]),
			bar(without[i], without[failures-1])})
	}
	l.Table(rows...)
	var next time.Duration
	for range 20 - failures {
		next = limiters[1].When(key(l, "menu"))
	}
	l.Became("without Forget, the wait after failure 20 is %g s", next.Seconds())
	l.Conclude("The limiter counts the failures since the last Forget. It hears of no success. Without Forget it " +
		"counts for as long as the program runs, and in the end each failure costs the longest wait.")
	return nil
}

// alternating makes a crew of which the first run with each write of menu fails, and the second succeeds.
func alternating(world *scenario.World, queue scenario.Queue) *scenario.Crew {
	crew := scenario.NewCrew(queue, world.Informer.GetStore())
	failed := "" // the last write that has
	crew.Process = func(_ scenario.Key, object *corev1.ConfigMap) error {
		if write := object.Data["write"]; write != failed {
			failed = write
			return errors.New("this write is new")
		}
		return nil
	}
	crew.Add = func(key scenario.Key, _ bool) {
		if key.Name == "menu" {
			queue.Add(key)
		}
	}
	return crew
}

// neverForgets is a queue whose workers do not call Forget.
type neverForgets struct{ scenario.Queue }

// Forget is what they do not call.
func (neverForgets) Forget(scenario.Key) {}

// noQueue is -fault no-queue: what calls a function, if no queue does.
func noQueue(ctx context.Context, l *lab.Lab) error {
	writer, err := begin(ctx, l)
	if err != nil {
		return err
	}
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	if err := errors.Join(writer.Create(ctx, copies...), writer.Set(ctx, "menu", "write", 1)); err != nil {
		return err
	}
	world := scenario.NewWorld(quiet, l.Namespace)
	goOn := make(chan struct{}) // the first runs
	release := sync.OnceFunc(func() { close(goOn) })
	crews, stop := threeWays(world)
	defer stop()
	for i, crew := range crews {
		crew.Process = func(_ scenario.Key, menu *corev1.ConfigMap) error {
			if menu.Data["write"] == "1" {
				<-goOn
			}
			return writer.SetQuietly(ctx, copies[i], "write", menu.Data["write"])
		}
		if err := world.Tell(crew.Enqueue); err != nil {
			return err
		}
	}
	if err := world.Run(ctx); err != nil {
		return err
	}
	defer world.Stop()
	defer release()
	if err := watchWays(ctx, writer, crews, release); err != nil {
		return err
	}
	rows := [][]string{{"who calls", "runs", "at once", "write of the copy"}}
	for i, crew := range crews {
		made, err := quiet.CoreV1().ConfigMaps(l.Namespace).Get(ctx, copies[i], metav1.GetOptions{})
		if err != nil {
			return err
		}
		rows = append(rows, []string{ways[i], fmt.Sprint(len(crew.Runs("menu"))), fmt.Sprint(crew.Most("menu")),
			made.Data["write"]})
	}
	l.Table(rows...)
	l.Conclude("Without the queue, two runs have menu at once, and the slow one writes last what it read first. The " +
		"copy stays wrong, since nothing changes any more. With it menu had two runs, one after the other.")
	return nil
}

var (
	ways   = []string{"a goroutine for each event", "a channel and four workers", "the queue and four workers"}
	copies = []string{"by-goroutines", "by-channel", "by-queue"}
)

// threeWays makes a crew for each way, that works. Call stop when the informer has stopped.
func threeWays(world *scenario.World) (crews []*scenario.Crew, stop func()) {
	for range ways {
		crews = append(crews, scenario.NewCrew(newQueue(), world.Informer.GetStore()))
	}
	var workers sync.WaitGroup
	channel := make(chan scenario.Key, 100)
	adds := []func(scenario.Key){
		func(menu scenario.Key) { workers.Go(func() { _ = crews[0].Run(menu) }) },
		func(menu scenario.Key) { channel <- menu },
		crews[2].Queue.Add,
	}
	for i, crew := range crews {
		crew.Add = func(key scenario.Key, _ bool) {
			if key.Name == "menu" {
				adds[i](key)
			}
		}
	}
	for range 4 {
		workers.Go(func() {
			for menu := range channel {
				_ = crews[1].Run(menu)
			}
		})
	}
	crews[2].Start(4)
	return crews, func() {
		close(channel)
		for _, crew := range crews {
			crew.Queue.ShutDown()
			crew.Wait()
		}
		workers.Wait()
	}
}

// watchWays updates menu twice while the first run of each crew is held, and then lets these go on.
func watchWays(ctx context.Context, writer *scenario.Writer, crews []*scenario.Crew, release func()) error {
	for n := 1; ; n++ {
		seen := func() bool { // by all three, and two of them are done with all but the first
			for i, crew := range crews {
				runs := n
				if ways[i] == ways[2] {
					runs = 1
				}
				if crew.Adds("menu") != n || len(crew.Runs("menu")) != runs || crew.Inside() != 1 {
					return false
				}
			}
			return true
		}
		if err := scenario.Until(ctx, seen); err != nil {
			return err
		}
		if n == 3 {
			break
		}
		if err := writer.Set(ctx, "menu", "write", n+1); err != nil {
			return err
		}
	}
	release()
	return scenario.Until(ctx, func() bool {
		return crews[0].Inside()+crews[1].Inside()+crews[2].Inside() == 0 && len(crews[2].Runs("menu")) == 2
	})
}

// doneForgotten is -fault done-forgotten: a key that no worker has, and that the queue takes for one that is with a
// worker.
func doneForgotten(ctx context.Context, l *lab.Lab) error {
	writer, err := begin(ctx, l)
	if err != nil {
		return err
	}
	metrics := &scenario.Metrics{}
	world, crew, err := watch(ctx, l, func() scenario.Queue {
		return workqueue.NewRateLimiting(workqueue.DefaultLimiter[scenario.Key](),
			upstream.TypedRateLimitingQueueConfig[scenario.Key]{Name: "demo", MetricsProvider: metrics})
	})
	if err != nil {
		return err
	}
	defer world.Stop()
	defer crew.Queue.ShutDown()
	for range workers {
		go forgetful(crew)
	}
	if err := writer.Set(ctx, "menu", "failures", 1); err != nil {
		return err
	}
	if err := scenario.Until(ctx, func() bool { return last(crew, "menu").Err != nil }); err != nil {
		return err
	}
	l.Became("a run with menu has failed, and its worker has gone on without Done")
	before := map[string]int{"menu": len(crew.Runs("menu")), "hours": len(crew.Runs("hours"))}
	rows := [][]string{{""}, {"since then, runs with hours"}, {"since then, runs with menu"}, {"items in the line"}}
	names := []string{"workqueue_depth", "workqueue_unfinished_work_seconds", longest}
	since := metrics.Values()[longest]
	for _, name := range names {
		rows = append(rows, []string{name})
	}
	for n := 1; n <= 3; n++ {
		err := errors.Join(writer.Set(ctx, "menu", "write", n), writer.Set(ctx, "hours", "write", n))
		if err != nil {
			return err
		}
		if err := scenario.Until(ctx, func() bool { return metrics.Values()[longest] > since+0.75 }); err != nil {
			return err
		}
		since = metrics.Values()[longest]
		column := []string{fmt.Sprintf("update %d", n), fmt.Sprint(len(crew.Runs("hours")) - before["hours"]),
			fmt.Sprint(len(crew.Runs("menu")) - before["menu"]), fmt.Sprint(crew.Queue.Len())}
		values := metrics.Values()
		for _, name := range names {
			digits := 1
			if !strings.HasSuffix(name, "_seconds") {
				digits = 0
			}
			column = append(column, fmt.Sprintf("%.*f", digits, values[name]))
		}
		for i, cell := range column {
			rows[i] = append(rows[i], cell)
		}
	}
	l.Table(rows...)
	l.Conclude("The queue takes menu for one that is with a worker, and keeps it back. Nothing is logged. Two " +
		"metrics grow as the clock does. The depth is 1, though the line is empty: it also counts what is kept back.")
	return drainInVain(l, crew)
}

// longest is the metric that says when to look again. The queue writes it each half second, as the last one, and a look
// follows on every second writing.
const longest = "workqueue_longest_running_processor_seconds"

// forgetful is a worker that calls Done only where it succeeds.
func forgetful(crew *scenario.Crew) {
	for {
		key, shutdown := crew.Queue.Get()
		if shutdown {
			return
		}
		if err := crew.Run(key); err != nil {
			crew.Queue.AddRateLimited(key)
			continue
		}
		crew.Queue.Forget(key)
		crew.Queue.Done(key)
	}
}

// drainInVain shuts down a queue that waits for a Done.
func drainInVain(l *lab.Lab, crew *scenario.Crew) error {
	l.Sent("ShutDownWithDrain")
	returned := make(chan struct{})
	go func() { crew.Queue.ShutDownWithDrain(); close(returned) }()
	select {
	case <-returned:
		return errors.New("ShutDownWithDrain has returned")
	case <-time.After(patience):
		l.Wire("ShutDownWithDrain has not returned after %s", patience)
	}
	crew.Queue.ShutDown() // calls it off
	<-returned
	l.Conclude("A shutdown that drains waits for that Done, too.")
	return nil
}

// starved is -fault starved: what has a low priority never comes.
func starved(ctx context.Context, l *lab.Lab) error {
	writer, err := begin(ctx, l)
	if err != nil {
		return err
	}
	rows := [][]string{{"priority of the initial list", "runs with the nine", "runs with wines"}}
	for _, priority := range []int{handler.LowPriority, 0} {
		nine, wines, err := poll(ctx, l, writer, priority)
		if err != nil {
			return err
		}
		rows = append(rows, []string{fmt.Sprint(priority), fmt.Sprint(nine), fmt.Sprint(wines)})
	}
	l.Table(rows...)
	l.Conclude("While there is always a key of priority 0, none of a lower one is handed out: nothing grows older in " +
		"this queue. Nothing fails either, and nothing is logged.")
	return nil
}

// poll has one worker process nine of the objects again and again for a second, after a first list and an update. It
// says how often these had a run, and wines.
func poll(ctx context.Context, l *lab.Lab, writer *scenario.Writer, priority int) (nine, wines int, err error) {
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return 0, 0, err
	}
	world := scenario.NewWorld(quiet, l.Namespace)
	crew := newPrioritized(world, priority)
	defer crew.Wait()
	defer crew.Queue.ShutDown()
	crew.Pause = 10 * time.Millisecond
	crew.Process = func(key scenario.Key, _ *corev1.ConfigMap) error {
		if key.Name != "wines" {
			crew.Queue.AddAfter(key, 4*crew.Pause) // all nine take more than that
		}
		return nil
	}
	if err := world.Tell(crew.Enqueue); err != nil {
		return 0, 0, err
	}
	if err := world.Run(ctx); err != nil {
		return 0, 0, err
	}
	defer world.Stop()
	for _, name := range objects[:len(objects)-1] {
		if err := writer.SetQuietly(ctx, name, "write", priority); err != nil {
			return 0, 0, err
		}
	}
	if err := scenario.Until(ctx, func() bool { return added(crew) == 2*len(objects)-1 }); err != nil {
		return 0, 0, err
	}
	crew.Start(1)
	end := time.Now().Add(time.Second)
	err = scenario.Until(ctx, func() bool { return time.Now().After(end) })
	_, all := crew.Total()
	wines = len(crew.Runs("wines"))
	return all - wines, wines, err
}
