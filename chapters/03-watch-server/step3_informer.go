package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// runInformers runs client-go's informer on both servers, and shows what its handlers hear.
func runInformers(ctx context.Context, l *lab.Lab) error {
	servers, stop, err := both(l)
	if err != nil {
		return err
	}
	defer stop()
	rows := [][]string{{"", ourName, realName}}
	for _, say := range []string{"synced with", "create green", "update green", "delete red"} {
		rows = append(rows, []string{say})
	}
	for _, s := range servers {
		heard, err := informerRun(ctx, s)
		if err != nil {
			return fmt.Errorf("the informer on %s: %w", s.name, err)
		}
		for i, h := range heard {
			rows[i+1] = append(rows[i+1], h)
		}
	}
	l.Table(rows...)
	l.Conclude("Neither informer can tell which server it has.")
	return nil
}

// informerRun starts an informer on one server, writes, and returns what was heard after each write.
func informerRun(ctx context.Context, s *server) (heard []string, err error) {
	client, done, err := s.clientset()
	if err != nil {
		return nil, err
	}
	defer done()
	objects := client.CoreV1().ConfigMaps(s.namespace)
	object := func(name, value string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name,
			Labels: map[string]string{"step": "informer"}},
			Data: map[string]string{"value": value}}
	}
	if _, err := objects.Create(ctx, object("red", "1"), metav1.CreateOptions{}); err != nil {
		return nil, err
	}

	ctx, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(s.namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = "step=informer" }))
	events := make(chan string, 10)
	informer := factory.Core().V1().ConfigMaps().Informer()
	handler, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { events <- "OnAdd " + o.(*corev1.ConfigMap).Name },
		UpdateFunc: func(_, o any) { events <- "OnUpdate " + o.(*corev1.ConfigMap).Name },
		DeleteFunc: func(o any) { events <- "OnDelete " + o.(*corev1.ConfigMap).Name },
	})
	if err != nil {
		cancel()
		return nil, err
	}
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), handler.HasSynced) {
		return nil, context.Cause(ctx)
	}
	hear := func(err error) error {
		if err != nil {
			return err
		}
		select {
		case e := <-events:
			heard = append(heard, e)
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if err := hear(nil); err != nil {
		return nil, err
	}
	_, err = objects.Create(ctx, object("green", "1"), metav1.CreateOptions{})
	if err = hear(err); err != nil {
		return nil, err
	}
	_, err = objects.Update(ctx, object("green", "2"), metav1.UpdateOptions{})
	if err = hear(err); err != nil {
		return nil, err
	}
	err = hear(objects.Delete(ctx, "red", metav1.DeleteOptions{}))
	return heard, err
}
