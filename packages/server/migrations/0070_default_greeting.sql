-- An empty greeting is the widget's own, in the visitor's language. Sites that never chose one had this English one.
update sites set greeting = '' where greeting = 'Hello! How can we help?';
